import { type CommitOutcome, type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../sql/gather.js';
import { tenantText } from '../sql/tenant.js';
import {
  type Obstacle,
  outcomeOf,
  parameterNames,
  valuesOfEach,
  valuesOfMany,
  valuesOfOne,
  type Write,
  weigh,
} from './commit-values.js';
import { type Failure, isOfOneRow, unmade, unreadable } from './failures.js';
import type { Settings } from './options.js';
import { createPatience, sharedWait } from './patience.js';
import { functionsVersion } from './schema.js';
import { type Doubt, type SendOnce, sendUntil } from './send.js';
import { quoted, type Statement, statement } from './statement.js';

/** Makes a write, in one atomic decision. */
export type Commit = (write: Write) => Promise<Result<CommitOutcome, PortFailure>>;

type Outcomes = Result<readonly CommitOutcome[], Failure>;
type Answered = Result<CommitOutcome, PortFailure>;
type Answers = readonly (Answered | PromiseLike<Answered>)[];

/** Batches under way: the server works on one while answers to the other are taken here. */
const lanes = 2;
/** Tenants of a batch whose writes go out at once: two batches leave room in a pool of ten. */
const mostGroups = 4;
/** Characters of rows that one statement holds: a text of all the rest has room beside them. */
const maxSize = 8 * 1_024 * 1_024;

/** A call of a database function. Its name says of which schema it is: older clients go on. */
function callOf(schema: string, name: string, types: readonly string[]): string {
  const parameters = types.map((type, at) => `$${at + 1}::${type}`).join(', ');
  return `${quoted(schema)}.${name}_${functionsVersion}(${parameters})`;
}

function call(schema: string, name: string, types: readonly string[]): Statement {
  const variant = name.replace('commit', '');
  return statement('commit', variant, `select ${callOf(schema, name, types)} as answer`);
}

// what a driver knows to be an array or JSON it would write in its own way

const typesOfOne = ['text', 'text', 'bigint', 'text::text[]'];

/** One write, in words. */
function commitOneStatement(schema: string): Statement {
  return call(schema, 'commit_one', typesOfOne);
}

/** The call of one write within another statement, whose first four parameters are its own. */
export function commitOneCall(schema: string): string {
  return callOf(schema, 'commit_one', typesOfOne);
}

/** Writes of one tenant, each in words: a cluster sends the call to the node of the tenant. */
function commitEachStatement(schema: string): Statement {
  return call(schema, 'commit_each', ['text', 'text::text[]', 'text::bigint[]', 'text::text[]']);
}

const typesOfMany = [
  ...['text::text[]', 'text::text[]', 'text::bigint[]'],
  ...Array<string>(parameterNames.length + 1).fill('text::json'),
];

/** Writes of many tenants, kind by kind. */
function commitStatement(schema: string): Statement {
  return call(schema, 'commit', typesOfMany);
}

/** The same, which gives up soon where somebody holds the log of one of them. */
function boundedStatement(schema: string): Statement {
  return statement(
    'commit',
    '_bounded',
    `with bounded as materialized (select set_config('lock_timeout', '${sharedWait}', true) as bound)
    select ${callOf(schema, 'commit', typesOfMany)} as answer from bounded where bound is not null`,
  );
}

/** How writes are carried out: alone, or gathered with others. */
export function createCommit(
  send: SendOnce,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
): Commit {
  const isByTenant = gather?.by === 'tenant';
  const [one, many] = [
    commitOneStatement(schema),
    isByTenant ? commitEachStatement(schema) : commitStatement(schema),
  ];
  const bounded = boundedStatement(schema);
  const valuesOf = isByTenant ? valuesOfEach : valuesOfMany;

  const sendOne = async (write: Write, retries: number): Promise<Outcomes> => {
    const values = made(() => valuesOfOne(write));
    if (values.isErr()) return err(values.error);
    const sent = await send(one, values.value, 1, retries);
    return sent.andThen(([text]) =>
      made(() => [outcomeOf(JSON.parse(text ?? '') as Obstacle | null)], unreadable),
    );
  };
  const sendMany = async (
    writes: readonly Write[],
    retries: number,
    sending = many,
  ): Promise<Outcomes> => {
    const values = made(() => valuesOf(writes));
    if (values.isErr()) return err(values.error);
    const sent = await send(sending, values.value, writes.length, retries);
    return sent.andThen(([text]) =>
      made(() => {
        const obstacles = new Map(JSON.parse(text ?? '') as [number, Obstacle][]);
        return writes.map((_, n) => outcomeOf(obstacles.get(n) ?? null));
      }, unreadable),
    );
  };
  const commitOne = async (write: Write, doubt: Doubt) => {
    const sent = await sendUntil((retries) => sendOne(write, retries), kindOf([write]), doubt);
    return sent.map(([outcome]) => outcome as CommitOutcome);
  };

  if (gather === undefined) return (write) => commitOne(write, { isOpen: false });

  /** All together; where one of them may be at fault, one by one; where one has to wait, apart. */
  const settle = async (
    batch: readonly Write[],
    before: Doubt = { isOpen: false },
    apart?: (doubt: Doubt) => Promise<Answers>,
  ): Promise<Answers> => {
    // a batch that was lost may be carried out yet, whatever becomes of the next sending
    const doubt: Doubt = { ...before };
    if (batch.length > 1) {
      const kind = kindOf(batch);
      const together = await sendUntil(
        async (
          retries,
        ): Promise<Result<readonly CommitOutcome[] | 'apart' | undefined, Failure>> => {
          const sent = await sendMany(batch, retries, apart && bounded);
          if (apart && sent.isErr() && sent.error.code === lockTimedOut) return ok('apart');
          if (sent.isOk() || !isOfOneRow(sent.error)) return sent;
          const isLost = sent.error.outcome === 'unknown';
          if (isLost && kind === 'once') return sent;
          doubt.isOpen ||= isLost;
          return ok(undefined);
        },
        kind,
        doubt,
      );
      if (together.isErr()) return batch.map(() => err(together.error));
      if (together.value === 'apart') return apart?.(doubt) ?? [];
      if (together.value !== undefined) return together.value.map((outcome) => ok(outcome));
    }
    const answers: Answered[] = [];
    let lost: Answered | undefined;
    for (const write of batch) {
      const answer = lost ?? (await commitOne(write, { ...doubt }));
      answers.push(answer);
      // one after the other, each would wait for a database that is not there as long as this one
      if (answer.isErr() && answer.error.retryAfter !== undefined) {
        // of these nothing was sent since the batch
        lost ??= unavailable({ ...answer.error, outcome: doubt.isOpen ? 'unknown' : 'none' });
      }
    }
    return answers;
  };
  const gathering = { ...gather, maxSize, weigh, lanes };
  if (isByTenant) {
    const run = (batch: readonly Write[]) => byTenant(batch, (group) => settle(group));
    return createGatherer<Write, CommitOutcome>({ run, ...gathering });
  }
  const doubts = new WeakMap<Write, Doubt>();
  const doubtOf = (batch: readonly Write[]) => ({
    isOpen: batch.some((write) => doubts.get(write)?.isOpen),
  });
  const patience = createPatience((batch) => settle(batch, doubtOf(batch)), {
    ...gather,
    maxSize,
    weigh,
  });
  const run = (batch: readonly Write[]) => {
    if (isOfOneTenant(batch)) return patience.settle(batch);
    return settle(batch, { isOpen: false }, (doubt) => {
      for (const write of batch) doubts.set(write, doubt);
      return byTenant(batch, patience.settle);
    });
  };
  const commit = createGatherer<Write, CommitOutcome>({ run, ...gathering });
  return (write) => (patience.gatherOf(write) ?? commit)(write);
}

/** What the server says where a lock did not come in time. */
const lockTimedOut = '55P03';

function isOfOneTenant([first, ...rest]: readonly Write[]): boolean {
  return rest.every(
    ({ tenant: { environment, partner } }) =>
      environment === first?.tenant.environment && partner === first.tenant.partner,
  );
}

/** A write that inserts nothing does not know itself again: it would be refused for what it did. */
function kindOf(writes: readonly Write[]): 'attempt' | 'once' {
  return writes.every(({ set }) => set.insert.length > 0) ? 'attempt' : 'once';
}

function made<T>(make: () => T, failure = unmade): Result<T, Failure> {
  try {
    return ok(make());
  } catch (thrown) {
    return err(failure(thrown));
  }
}

/** Sorts a batch out by tenants, which then do not wait for each other. */
async function byTenant(
  batch: readonly Write[],
  settle: (batch: readonly Write[]) => Promise<Answers>,
): Promise<Answers> {
  const groups = new Map<string, number[]>();
  for (const [at, { tenant }] of batch.entries()) {
    const name = tenantText(tenant);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(at);
  }
  const answers: Answers[number][] = [];
  const left = groups.values();
  const settleLeft = async () => {
    for (const group of left) {
      const own = await settle(group.map((at) => batch[at] as Write));
      for (const [nth, at] of group.entries()) answers[at] = own[nth] as Answers[number];
    }
  };
  // all of them take from the same groups
  await Promise.all(Array.from({ length: mostGroups }, settleLeft));
  return answers;
}
