import { type CommitOutcome, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../sql/gather.js';
import {
  type Answered,
  type Answers,
  createNodeCommit,
  groupOfTenant,
  isShared,
  type Settle,
  settleByTenant,
} from './commit-groups.js';
import {
  boundedStatement,
  commitNodeStatement,
  commitOneStatement,
  commitSharedStatement,
  commitStatement,
} from './commit-statements.js';
import {
  type Obstacle,
  outcomeOf,
  valuesOfMany,
  valuesOfNode,
  valuesOfOne,
  type Write,
  weigh,
} from './commit-values.js';
import { type Failure, isOfOneRow, made, unreadable } from './failures.js';
import type { Nodes } from './nodes.js';
import type { Settings } from './options.js';
import { createPatience } from './patience.js';
import { type Doubt, type SendOnce, sendUntil } from './send.js';

/** Makes a write, in one atomic decision. */
export type Commit = (write: Write) => Promise<Answered>;

type Outcomes = Result<readonly CommitOutcome[], Failure>;

/** Batches under way: the server works on one while answers to the other are taken here. */
const lanes = 2;
/** Characters of rows that one statement holds: a text of all the rest has room beside them. */
const maxSize = 8 * 1_024 * 1_024;

/** How writes are carried out: alone, or gathered with others. */
export function createCommit(
  send: SendOnce,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
  nodes: Nodes,
): Commit {
  const isTogether = gather?.by === 'all';
  const [one, many] = [
    commitOneStatement(schema),
    isTogether ? commitStatement(schema) : commitNodeStatement(schema),
  ];
  const shared = isTogether || gather === undefined ? one : commitSharedStatement(schema);
  const bounded = boundedStatement(schema);
  const valuesOf = isTogether ? valuesOfMany : valuesOfNode;

  const sendOne = async (write: Write, retries: number): Promise<Outcomes> => {
    const values = made(() => valuesOfOne(write));
    if (values.isErr()) return err(values.error);
    const sent = await send(isShared(write) ? shared : one, values.value, 1, retries);
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

  const oneByOne = async (
    batch: readonly Write[],
    doubt: Doubt = { isOpen: false },
  ): Promise<Answers> => {
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
    return oneByOne(batch, doubt);
  };
  const gathering = { ...gather, maxSize, weigh };
  const gatherer = (run: Settle, most = lanes) =>
    createGatherer<Write, CommitOutcome>({ run, ...gathering, lanes: most });
  const byTenant = (batch: readonly Write[]) => settleByTenant(batch, (group) => settle(group));
  if (gather.by === 'tenant') return gatherer(byTenant);
  if (gather.by === 'node') {
    const alone = (batch: readonly Write[]) => settleByTenant(batch, (group) => oneByOne(group));
    return createNodeCommit(nodes, gatherer(alone, 1), (node) =>
      // a node spends less on a write the more of them a call has, and others are busy meanwhile
      node === undefined ? gatherer(byTenant) : gatherer(settle, 1),
    );
  }
  const doubts = new WeakMap<Write, Doubt>();
  const doubtOf = (batch: readonly Write[]) => ({
    isOpen: batch.some((write) => doubts.get(write)?.isOpen),
  });
  const patience = createPatience((batch) => settle(batch, doubtOf(batch)), gathering);
  const commit = gatherer((batch) => {
    if (new Set(batch.map(groupOfTenant)).size === 1) return patience.settle(batch);
    return settle(batch, { isOpen: false }, (doubt) => {
      for (const write of batch) doubts.set(write, doubt);
      return settleByTenant(batch, patience.settle);
    });
  });
  return (write) => (patience.gatherOf(write) ?? commit)(write);
}

/** What the server says where a lock did not come in time. */
const lockTimedOut = '55P03';

/** A write that inserts nothing does not know itself again: it would be refused for what it did. */
function kindOf(writes: readonly Write[]): 'attempt' | 'once' {
  return writes.every(({ set }) => set.insert.length > 0) ? 'attempt' : 'once';
}
