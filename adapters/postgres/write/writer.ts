import { type CommitOutcome, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type Failure, isOfOneRow, made, unreadable } from '../connection/failures.js';
import type { Statement } from '../connection/send.js';
import { type Doubt, type SendOnce, sendUntil } from '../connection/send.js';
import { type Answered, type Answers, isShared } from './groups.js';
import { type Obstacle, outcomeOf, valuesOfOne, type Write } from './values.js';

/** The statements of writes. */
export interface WriteStatements {
  readonly one: Statement;
  /** One write of records that tenants share. */
  readonly shared: Statement;
  readonly many: Statement;
  /** The values of `many`. */
  valuesOf(writes: readonly Write[]): readonly (string | null)[];
}

/** The separate way for writes that wait for the lock of another transaction. */
export interface Apart {
  /** Replaces `many`, and gives up soon. */
  readonly statement: Statement;
  settle(doubt: Doubt): Promise<Answers>;
}

/** Sends writes, each of which is one atomic decision. */
export interface Writer {
  writeOne(write: Write): Promise<Answered>;
  writeOneByOne(batch: readonly Write[], doubt?: Doubt): Promise<Answers>;
  /** All together; one by one if one of them may be at fault; separately if one has to wait. */
  writeTogether(batch: readonly Write[], before?: Doubt, apart?: Apart): Promise<Answers>;
}

type Outcomes = Result<readonly CommitOutcome[], Failure>;

export function createWriter(
  send: SendOnce,
  { one, shared, many, valuesOf }: WriteStatements,
): Writer {
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
    statement: Statement,
  ): Promise<Outcomes> => {
    const values = made(() => valuesOf(writes));
    if (values.isErr()) return err(values.error);
    const sent = await send(statement, values.value, writes.length, retries);
    return sent.andThen(([text]) =>
      made(() => {
        const obstacles = new Map(JSON.parse(text ?? '') as [number, Obstacle][]);
        return writes.map((_, n) => outcomeOf(obstacles.get(n) ?? null));
      }, unreadable),
    );
  };

  const writeOne = async (write: Write, doubt: Doubt = { isOpen: false }): Promise<Answered> => {
    const sent = await sendUntil((retries) => sendOne(write, retries), kindOf([write]), doubt);
    return sent.map(([outcome]) => outcome as CommitOutcome);
  };
  const writeOneByOne = async (
    batch: readonly Write[],
    doubt: Doubt = { isOpen: false },
  ): Promise<Answers> => {
    const answers: Answered[] = [];
    let lost: Answered | undefined;
    for (const write of batch) {
      const answer = lost ?? (await writeOne(write, { ...doubt }));
      answers.push(answer);
      // each of the others would wait as long for a database that is down
      if (answer.isErr() && answer.error.retryAfter !== undefined) {
        // none of these was sent since the batch
        lost ??= unavailable({ ...answer.error, outcome: doubt.isOpen ? 'unknown' : 'none' });
      }
    }
    return answers;
  };
  /**
   * The outcomes; `apart` if a lock did not come in time, `undefined` if one of them may be at
   * fault.
   */
  const sendTogether = async (
    batch: readonly Write[],
    doubt: Doubt,
    apart: Apart | undefined,
    retries: number,
  ): Promise<Result<readonly CommitOutcome[] | 'apart' | undefined, Failure>> => {
    const sent = await sendMany(batch, retries, apart?.statement ?? many);
    if (apart && sent.isErr() && sent.error.code === lockTimedOut) return ok('apart');
    if (sent.isOk() || !isOfOneRow(sent.error)) return sent;
    const isLost = sent.error.outcome === 'unknown';
    if (isLost && kindOf(batch) === 'once') return sent;
    doubt.isOpen ||= isLost;
    return ok(undefined);
  };
  const writeTogether: Writer['writeTogether'] = async (
    batch,
    before = { isOpen: false },
    apart = undefined,
  ) => {
    // a lost batch may still be carried out, even if the next sending fails
    const doubt: Doubt = { ...before };
    if (batch.length > 1) {
      const sent = await sendUntil(
        (retries) => sendTogether(batch, doubt, apart, retries),
        kindOf(batch),
        doubt,
      );
      if (sent.isErr()) return batch.map(() => err(sent.error));
      if (sent.value === 'apart') return apart?.settle(doubt) ?? [];
      if (sent.value !== undefined) return sent.value.map((outcome) => ok(outcome));
    }
    return writeOneByOne(batch, doubt);
  };
  return { writeOne, writeOneByOne, writeTogether };
}

/** The server's code if a lock did not come in time. */
const lockTimedOut = '55P03';

/** A repeated write without inserts is not recognized: its own effect would refuse it. */
function kindOf(writes: readonly Write[]): 'attempt' | 'once' {
  return writes.every(({ set }) => set.insert.length > 0) ? 'attempt' : 'once';
}
