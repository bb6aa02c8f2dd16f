import type { Environment } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type Failure, idsUsedUp } from './failures.js';
import type { SendOnce } from './send.js';
import { quoted, type Statement, statement } from './statement.js';

/** Integers of an environment that no other process gives. */
export interface IdBlocks {
  /** The first of so many in a row, all higher than those before. At once where the block has them. */
  take(count: number): number | Promise<Result<number, Failure>>;
  /** Never gives what is left. */
  discard(): void;
}

/** So many ids on their way. */
interface Fetching {
  readonly length: number;
  readonly answer: Promise<Result<void, Failure>>;
}

/**
 * What is left out where another server took the last block. It may be an older copy of that one,
 * and lack what was taken since: an idle process, which notices nothing, may hold two blocks of that.
 * Two blocks of 10,000, the most there are, for each of 50 processes are as many.
 */
const leap = 1_000_000;

/** The statement that takes a block: the first of so many. Parameters: how many, environment. */
export function takeIdsStatement(schema: string): Statement {
  return statement(
    'reserve',
    '',
    `update ${quoted(schema)}.ids
    set next = next + $1::bigint
        + ${leap} * ((server_started <> pg_postmaster_start_time()) is true)::int,
      server_started = pg_postmaster_start_time()
    where environment = $2::text
    returning (next - $1::bigint)::text as answer`,
  );
}

/**
 * Takes blocks of so many ids as they are needed, the next one while some are left. Where that loses
 * its connection, what is left is discarded: of a block that is taken beforehand nobody else hears.
 */
export function createIdBlocks(
  send: SendOnce,
  schema: string,
  environment: Environment,
  size: number,
): IdBlocks {
  const takeIds = takeIdsStatement(schema);
  const low = Math.ceil(size / 4);
  let next = 0;
  let end = 0;
  /** The block behind this one. */
  let spare: { readonly next: number; readonly end: number } | undefined;
  let fetching: Fetching | undefined;
  let generation = 0;
  /** No whole block is left: from then on only what is needed is taken. */
  let isScarce = false;

  const fetch = (count: number): Fetching => {
    const asked = generation;
    const length = isScarce ? count : Math.max(size, count);
    const answer = send(takeIds, [length, environment]).then((sent): Result<void, Failure> => {
      if (fetching === taking) fetching = undefined;
      if (sent.isErr()) {
        // what was taken since is none the worse for it
        if (sent.error.isConnectionLost && asked === generation) discard();
        if (sent.error.code !== checkViolation) return err(sent.error);
        isScarce = true;
        return err(usedUp(sent.error));
      }
      const first = Number(sent.value[0]);
      if (!Number.isSafeInteger(first)) {
        const cause = new Error('the database has no row of ids: run "dealwright migrate"');
        return err({
          code: undefined,
          outcome: 'none',
          retry: 'never',
          isConnectionLost: false,
          cause,
        });
      }
      if (asked === generation) spare = { next: first, end: first + length };
      return ok(undefined);
    });
    const taking = { length, answer };
    fetching = taking;
    return taking;
  };
  const taken = (count: number): number | undefined => {
    if (end - next < count && spare !== undefined) {
      ({ next, end } = spare);
      spare = undefined;
    }
    if (end - next < count) return undefined;
    const first = next;
    next += count;
    const isLow = end - next < low && spare === undefined;
    if (isLow && fetching === undefined && !isScarce) fetch(size);
    return first;
  };
  const wait = async (count: number): Promise<Result<number, Failure>> => {
    for (;;) {
      const first = taken(count);
      if (first !== undefined) return ok(first);
      const { length, answer } = fetching ?? fetch(count);
      const fetched = await answer;
      if (fetched.isOk()) continue;
      // there may be as many as are needed here
      if (fetched.error.code === idsUsedUp && length > count) continue;
      // whatever became of it, nothing of a deal was written, and what was lost is discarded
      return err({ ...fetched.error, outcome: 'none', isConnectionLost: false });
    }
  };

  const discard = () => {
    generation += 1;
    next = 0;
    end = 0;
    spare = undefined;
    fetching = undefined;
    // another server may have others left
    isScarce = false;
  };

  return {
    take: (count) => taken(count) ?? wait(count),
    discard,
  };
}

/** The row of ids goes no further than 2^53. */
const checkViolation = '23514';

function usedUp(failure: Failure): Failure {
  return {
    ...failure,
    code: idsUsedUp,
    cause: new Error('all ids are given out', { cause: failure.cause }),
  };
}
