import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer, type Weighed } from '../sql/gather.js';
import { tenantText } from '../sql/tenant.js';
import {
  type Added,
  type Addition,
  idCount,
  outcomeOf,
  valuesOfMany,
  valuesOfOne,
} from './add-rows.js';
import { addManyStatement, addOneStatement } from './add-sql.js';
import { type Failure, isOfOneRow, unmade, unreadable, unseen } from './failures.js';
import type { IdBlocks } from './id-blocks.js';
import type { Settings } from './options.js';
import { type Doubt, type SendOnce, sendUntil } from './send.js';
import type { Statement } from './statement.js';

/** Creates a deal of either version, in one decision. */
export type AddDeal = (addition: Addition) => Promise<Result<Added, PortFailure>>;

/** What became of each; nothing for one whose winner is not seen yet. */
type Sent<T> = Promise<Result<T, Failure>>;

/** Stages up to which a deal has a statement of its own; one of more goes as a batch of itself. */
const mostStagesAlone = 4;

const noIds = ok<readonly number[], Failure>([]);

/** How creates are carried out: alone, or gathered with others. */
export function createAdditions(
  send: SendOnce,
  ids: IdBlocks,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
): AddDeal {
  const lone = new Map<string, Statement>();
  const isByTenant = gather?.by === 'tenant';
  const many = addManyStatement(schema, isByTenant);

  const loneStatement = ({ api_version, given }: Addition): Statement | undefined => {
    const stages = 'stages' in given.deal ? given.deal.stages.length : 0;
    if (given.events.length !== 1 || stages > mostStagesAlone) return undefined;
    const kind = `${api_version} ${stages}`;
    const found = lone.get(kind) ?? addOneStatement(schema, api_version, stages);
    lone.set(kind, found);
    return found;
  };
  /** A server that was replaced by an older copy of itself may give the rest of the ids to others. */
  const noted = (failure: Failure): Failure => {
    if (failure.isConnectionLost) ids.discard();
    return failure;
  };

  const sendMany = async (
    additions: readonly Addition[],
    retries: number,
  ): Sent<readonly (Added | undefined)[]> => {
    const counts = additions.map(idCount);
    const drawing = ids.take(counts.reduce((sum, count) => sum + count, 0));
    const drawn = drawing instanceof Promise ? await drawing : drawing;
    if (drawn.isErr()) return err(drawn.error);
    let used = 0;
    const idsOf = counts.map((count) => {
      used += count;
      return drawn.value.slice(used - count, used);
    });
    const values = made(() => valuesOfMany(additions, idsOf));
    if (values.isErr()) return err(values.error);
    const [first] = additions;
    if (isByTenant && first !== undefined) values.value.push(tenantText(first.tenant));
    const sent = await send(many, values.value, additions.length, retries);
    if (sent.isErr()) return err(noted(sent.error));
    return made(() => {
      const answers: (Added | undefined)[] = additions.map(() => undefined);
      for (const text of sent.value) {
        const [n, answer] = JSON.parse(text ?? '[]') as [number, string];
        const addition = additions[n];
        if (addition !== undefined) answers[n] = outcomeOf(addition, idsOf[n] ?? [], answer);
      }
      return answers;
    }, unreadable);
  };

  const sendOne = async (addition: Addition, retries: number): Sent<Added | undefined> => {
    const statement = loneStatement(addition);
    if (statement === undefined) return (await sendMany([addition], retries)).map(([one]) => one);
    const count = idCount(addition);
    const drawing = count === 0 ? noIds : ids.take(count);
    const drawn = drawing instanceof Promise ? await drawing : drawing;
    if (drawn.isErr()) return err(drawn.error);
    const values = made(() => valuesOfOne(addition, drawn.value));
    if (values.isErr()) return err(values.error);
    const sent = await send(statement, values.value, 1, retries);
    if (sent.isErr()) return err(noted(sent.error));
    return ok(outcomeOf(addition, drawn.value, sent.value[0] ?? ''));
  };

  const addOne = (addition: Addition, doubt: Doubt) =>
    sendUntil(
      async (retries) => {
        const sent = await sendOne(addition, retries);
        return sent.andThen((added) => (added === undefined ? err(unseen) : ok(added)));
      },
      'attempt',
      doubt,
    );

  if (gather === undefined) return (addition) => addOne(addition, { isOpen: false });

  /** All together, and what that leaves undecided together again, since its winners are seen then. */
  const settle = async (batch: readonly Addition[]): Promise<Answers> => {
    const answers: Answers = [];
    // a batch that was lost may be carried out yet, whatever becomes of the next sending
    const doubt: Doubt = { isOpen: false };
    let open: readonly Placed[] = inOrder(batch);
    for (let round = 0; open.length > 1 && round < mostRounds; round += 1) {
      const [together, later] = onceEach(open);
      const sent = await sendUntil(
        async (retries) => {
          const all = await sendMany(
            together.map(({ addition }) => addition),
            retries,
          );
          if (all.isOk() || !isOfOneRow(all.error)) return all;
          doubt.isOpen ||= all.error.outcome === 'unknown';
          return ok(undefined);
        },
        'attempt',
        doubt,
      );
      if (sent.isErr()) {
        for (const { at } of open) answers[at] = err(sent.error);
        return answers;
      }
      if (sent.value === undefined) break;
      const undecided: Placed[] = [];
      for (const [nth, placed] of together.entries()) {
        const added = sent.value[nth];
        if (added === undefined) undecided.push(placed);
        else answers[placed.at] = ok(added);
      }
      open = [...undecided, ...later];
    }
    let lost: Answers[number] | undefined;
    for (const { addition, at } of open) {
      answers[at] = lost ?? (await addOne(addition, { ...doubt }));
      // one after the other, each would wait for a database that is not there as long as this one
      const answer = answers[at];
      if (answer?.isErr() === true && answer.error.retryAfter !== undefined) {
        // of these nothing was sent since the batch
        lost ??= unavailable({ ...answer.error, outcome: doubt.isOpen ? 'unknown' : 'none' });
      }
    }
    return answers;
  };
  const run = isByTenant ? (batch: readonly Addition[]) => byTenant(batch, settle) : settle;
  return createGatherer<Addition, Added>({ run, ...gather, maxSize, weigh, lanes });
}

function made<T>(make: () => T, failure = unmade): Result<T, Failure> {
  try {
    return ok(make());
  } catch (thrown) {
    return err(failure(thrown));
  }
}

/** Characters of long texts that one statement holds: a text of all the rest has room beside them. */
const maxSize = 8 * 1_024 * 1_024;

/**
 * Roughly its size: the one text that has no end, and stages. Batches are in the order of partner_ids,
 * so that none waits for one that waits for it, but for keys, which have another order.
 */
function weigh({ tenant, given: { deal, idempotency } }: Addition): Weighed {
  return {
    size: deal.description.length + ('stages' in deal ? deal.stages.length * 300 : 0),
    key: idempotency && `${tenantText(tenant)} ${idempotency.key}`,
  };
}

type Answers = Result<Added, PortFailure>[];

/** A create, and its place in the batch that it came with. */
interface Placed {
  readonly addition: Addition;
  readonly at: number;
}

/** After so many, what is still undecided goes one by one. */
const mostRounds = 4;

/** All batches in one order, so that none waits for one that waits for it. */
function inOrder(batch: readonly Addition[]): Placed[] {
  const keyed = batch.map((addition, at) => ({
    addition,
    at,
    tenant: tenantText(addition.tenant),
  }));
  return keyed.sort(
    (a, b) =>
      compare(a.tenant, b.tenant) ||
      compare(a.addition.given.deal.partner_id, b.addition.given.deal.partner_id),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Each attempt once, and the rest: a statement knows its winners by their attempts. */
function onceEach(open: readonly Placed[]): readonly [Placed[], Placed[]] {
  const attempts = new Set<string>();
  const [once, again]: [Placed[], Placed[]] = [[], []];
  for (const placed of open) {
    const attempt = placed.addition.given.events[0]?.id ?? '';
    (attempts.has(attempt) ? again : once).push(placed);
    attempts.add(attempt);
  }
  return [once, again];
}

/** Batches under way: the server works on one while answers to the other are taken here. */
const lanes = 2;

/** Tenants of a batch whose creates go out at once: two batches leave room in a pool of ten. */
const mostGroups = 4;

/** Sorts a batch out by tenants, which then do not wait for each other. */
async function byTenant(
  batch: readonly Addition[],
  settle: (batch: readonly Addition[]) => Promise<Answers>,
): Promise<Answers> {
  const groups = new Map<string, Placed[]>();
  for (const [at, addition] of batch.entries()) {
    const tenant = tenantText(addition.tenant);
    const group = groups.get(tenant) ?? [];
    group.push({ addition, at });
    groups.set(tenant, group);
  }
  const answers: Answers = [];
  const left = groups.values();
  const settleLeft = async () => {
    for (const group of left) {
      const own = await settle(group.map(({ addition }) => addition));
      for (const [nth, { at }] of group.entries()) {
        const answer = own[nth];
        if (answer !== undefined) answers[at] = answer;
      }
    }
  };
  // all of them take from the same groups
  await Promise.all(Array.from({ length: mostGroups }, settleLeft));
  return answers;
}
