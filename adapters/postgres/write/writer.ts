import { type CommitOutcome, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type Failure, isOfOneRow, made, unreadable } from '../connection/failures.js';
import { type Doubt, type SendOnce, sendUntil } from '../connection/send.js';
import type { Statement } from '../connection/statement.js';
import { type Answered, type Answers, isShared } from './groups.js';
import { type Obstacle, outcomeOf, valuesOfOne, type Write } from './values.js';

/** The statements that writes go out by. */
export interface WriteStatements {
  readonly one: Statement;
  /** One write of what tenants share. */
  readonly shared: Statement;
  readonly many: Statement;
  /** The values of `many`. */
  valuesOf(writes: readonly Write[]): readonly (string | null)[];
}

/** What waits for a lock that another transaction holds is written in another way. */
export interface Apart {
  /** Takes the place of `many`, and gives up soon. */
  readonly statement: Statement;
  settle(doubt: Doubt): Promise<Answers>;
}

/** Sends writes, each of which is one atomic decision. */
export interface Writer {
  writeOne(write: Write): Promise<Answered>;
  writeOneByOne(batch: readonly Write[], doubt?: Doubt): Promise<Answers>;
  /** All together; if one of them may be at fault, one by one; if one has to wait, apart. */
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
      // one after the other, each would wait for a database that is not there as long as this one
      if (answer.isErr() && answer.error.retryAfter !== undefined) {
        // of these nothing was sent since the batch
        lost ??= unavailable({ ...answer.error, outcome: doubt.isOpen ? 'unknown' : 'none' });
      }
    }
    return answers;
  };
  /** The outcomes; `apart` if a lock did not come in time, nothing if one of them may be at fault. */
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
    // a batch that was lost may be carried out yet, whatever becomes of the next sending
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

/** What the server says if a lock did not come in time. */
const lockTimedOut = '55P03';

/** A write that inserts nothing does not know itself again: it would be refused for what it did. */
function kindOf(writes: readonly Write[]): 'attempt' | 'once' {
  return writes.every(({ set }) => set.insert.length > 0) ? 'attempt' : 'once';
}
