import type { Environment } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type IdBlocks as Blocks, createIdBlocks as createBlocks } from '../sql/id-blocks.js';
import { type Failure, idsUsedUp, never } from './failures.js';
import type { SendOnce } from './send.js';
import { quoted, type Statement, statement } from './statement.js';

/** Integers of a server, which may be replaced by an older copy of itself. */
export type IdBlocks = Blocks<Failure>;

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

/** The row of ids goes no further than 2^53. */
const checkViolation = '23514';

const refused = (says: string, code?: string): Failure => ({
  ...never,
  code,
  cause: new Error(says),
});

/**
 * The blocks of an environment. Where the taking of one loses its connection, what is left is
 * discarded: of a block that is taken beforehand nobody else hears.
 */
export function createIdBlocks(
  send: SendOnce,
  schema: string,
  environment: Environment,
  size: number,
): IdBlocks {
  const takeIds = takeIdsStatement(schema);
  const fetch = async (count: number): Promise<Result<number | undefined, Failure>> => {
    const sent = await send(takeIds, [count, environment]);
    if (sent.isErr()) return sent.error.code === checkViolation ? ok(undefined) : err(sent.error);
    const first = Number(sent.value[0]);
    if (Number.isSafeInteger(first)) return ok(first);
    return err(refused('the database has no row of ids: run "dealwright migrate"'));
  };
  const blocks = createBlocks({
    fetch,
    size,
    usedUp: refused('all ids are given out', idsUsedUp),
    isLost: ({ isConnectionLost }: Failure) => isConnectionLost,
  });
  /** Whatever became of it, nothing of a deal was written, and what was lost is discarded. */
  const none = (failure: Failure): Failure => ({
    ...failure,
    outcome: 'none',
    isConnectionLost: false,
  });
  return {
    discard: blocks.discard,
    take(count) {
      const taking = blocks.take(count);
      return typeof taking === 'number' ? taking : taking.then((taken) => taken.mapErr(none));
    },
  };
}
