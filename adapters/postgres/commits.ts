import { type CommitOutcome, type PortFailure, shapeOf, unavailable } from 'dealwright/ports';
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
import { createNodes, type Nodes } from './nodes.js';
import type { Settings } from './options.js';
import { functionsVersion } from './schema.js';
import { type Doubt, type SendOnce, sendUntil } from './send.js';
import { quoted, type Statement, statement } from './statement.js';

/** Makes a write, in one atomic decision. */
export type Commit = (write: Write) => Promise<Result<CommitOutcome, PortFailure>>;

type Outcomes = Result<readonly CommitOutcome[], Failure>;
type Answers = readonly Result<CommitOutcome, PortFailure>[];

/** Batches under way: the server works on one while answers to the other are taken here. */
const lanes = 2;
/** Tenants of a batch whose writes go out at once: two batches leave room in a pool of ten. */
const mostGroups = 4;
/** Characters of rows that one statement holds: a text of all the rest has room beside them. */
const maxSize = 8 * 1_024 * 1_024;

/** A call of a database function. Its name says of which schema it is: older clients go on. */
function call(schema: string, name: string, types: readonly string[]): Statement {
  const parameters = types.map((type, at) => `$${at + 1}::${type}`).join(', ');
  const variant = name.replace('commit', '');
  return statement(
    'commit',
    variant,
    `select ${quoted(schema)}.${name}_${functionsVersion}(${parameters}) as answer`,
  );
}

// what a driver knows to be an array or JSON it would write in its own way

/** One write, in words. */
function commitOneStatement(schema: string): Statement {
  return call(schema, 'commit_one', ['text', 'text', 'bigint', 'text']);
}

/**
 * The same of what tenants share. A cluster passes on no call that has a condition: the coordinator
 * keeps connections to all nodes, and a node that is called would open them each time.
 */
function commitSharedStatement(schema: string): Statement {
  const { text } = commitOneStatement(schema);
  return statement('commit', '_shared', `${text} where $1::text is not null`);
}

/** Writes, each in words: a cluster sends the call to the node of the tenant that comes first. */
function commitEachStatement(schema: string): Statement {
  return call(schema, 'commit_each', ['text', 'text', 'text', 'text', 'text']);
}

/** Writes of many tenants, kind by kind. */
function commitStatement(schema: string): Statement {
  const arrays = ['text::text[]', 'text::text[]', 'text::bigint[]'];
  const kinds = Array<string>(parameterNames.length + 1).fill('text::json');
  return call(schema, 'commit', [...arrays, ...kinds]);
}

/** How writes are carried out: alone, or gathered with others. */
export function createCommit(
  send: SendOnce,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
): Commit {
  const isTogether = gather?.by === 'all';
  const [one, many] = [
    commitOneStatement(schema),
    isTogether ? commitStatement(schema) : commitEachStatement(schema),
  ];
  const shared = isTogether || gather === undefined ? one : commitSharedStatement(schema);
  const valuesOf = isTogether ? valuesOfMany : valuesOfEach;

  const sendOne = async (write: Write, retries: number): Promise<Outcomes> => {
    const values = made(() => valuesOfOne(write));
    if (values.isErr()) return err(values.error);
    const sent = await send(isShared(write) ? shared : one, values.value, 1, retries);
    return sent.andThen(([text]) =>
      made(() => [outcomeOf(JSON.parse(text ?? '') as Obstacle | null)], unreadable),
    );
  };
  const sendMany = async (writes: readonly Write[], retries: number): Promise<Outcomes> => {
    const values = made(() => valuesOf(writes));
    if (values.isErr()) return err(values.error);
    const sent = await send(many, values.value, writes.length, retries);
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

  /** All together; where one of them may be at fault, one by one. */
  const settle = async (batch: readonly Write[]): Promise<Answers> => {
    // a batch that was lost may be carried out yet, whatever becomes of the next sending
    const doubt: Doubt = { isOpen: false };
    if (batch.length > 1) {
      const kind = kindOf(batch);
      const together = await sendUntil(
        async (retries): Promise<Result<readonly CommitOutcome[] | undefined, Failure>> => {
          const sent = await sendMany(batch, retries);
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
      if (together.value !== undefined) return together.value.map((outcome) => ok(outcome));
    }
    const answers: Result<CommitOutcome, PortFailure>[] = [];
    let lost: Answers[number] | undefined;
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
  const gatherer = (run: (batch: readonly Write[]) => Promise<Answers>) =>
    createGatherer<Write, CommitOutcome>({ run, ...gather, maxSize, weigh, lanes });
  const byTenant = (batch: readonly Write[]) =>
    inGroups(batch, ({ tenant }) => tenantText(tenant), settle);
  if (gather.by === 'all') return gatherer(settle);
  if (gather.by === 'tenant') return gatherer(byTenant);
  return createNodeCommit(createNodes(send, schema), (node) =>
    gatherer(node === undefined ? byTenant : (batch) => inGroups(batch, groupOfNode, settle)),
  );
}

/** A gatherer for each node: while one of them is down, the others have their own turns. */
function createNodeCommit(nodes: Nodes, createOf: (node: string | undefined) => Commit): Commit {
  const commits = new Map<string | undefined, Commit>();
  return async (write) => {
    const found = nodes.nodeOf(write.tenant);
    const node = typeof found === 'object' ? await found : found;
    const commit = commits.get(node) ?? createOf(node);
    commits.set(node, commit);
    return commit(write);
  };
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

/**
 * What goes to a node in one call: all but what writes what tenants share, whose lock would be waited
 * for with other tenants locked.
 */
function groupOfNode(write: Write): string {
  return isShared(write) ? tenantText(write.tenant) : '';
}

/** Whether it inserts what tenants share. */
function isShared({ set }: Write): boolean {
  return set.insert.some(({ kind }) => shapeOf(kind).of === 'environment');
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Sorts a batch out into groups, which then do not wait for each other. */
async function inGroups(
  batch: readonly Write[],
  groupOf: (write: Write) => string,
  settle: (batch: readonly Write[]) => Promise<Answers>,
): Promise<Answers> {
  const groups = new Map<string, number[]>();
  for (const [at, write] of batch.entries()) {
    const name = groupOf(write);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(at);
  }
  const answers: Result<CommitOutcome, PortFailure>[] = [];
  const textAt = (at: number) => tenantText((batch[at] as Write).tenant);
  const left = groups.values();
  const settleLeft = async () => {
    for (const group of left) {
      // a call locks one tenant after the other: in this order no two wait for each other
      group.sort((one, other) => compared(textAt(one), textAt(other)));
      const own = await settle(group.map((at) => batch[at] as Write));
      for (const [nth, at] of group.entries()) answers[at] = own[nth] as Answers[number];
    }
  };
  // all of them take from the same groups
  await Promise.all(Array.from({ length: mostGroups }, settleLeft));
  return answers;
}
