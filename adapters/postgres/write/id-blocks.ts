import type { Environment } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { type IdBlocks as Blocks, createIdBlocks as createBlocks } from '../../shared/id-blocks.js';
import { type Failure, idsUsedUp, never } from '../connection/failures.js';
import type { SendOnce } from '../connection/send.js';
import { quoted, type Statement, statement } from '../connection/send.js';

/** Integers of a server, which may be replaced by an older copy of itself. */
export type IdBlocks = Blocks<Failure>;

/**
 * The ids that are skipped if another server took the last block. It may be an older copy of that
 * one, and lack the ids reserved since: an idle process, which notices nothing, may have two blocks
 * of those. The number is two blocks of 10,000, the largest size, for each of 50 processes.
 */
const leap = 1_000_000;

/** The ids to skip if the server is another one than that of the last block. */
const leftOut = `${leap} * ((server_started <> pg_postmaster_start_time()) is true)::int`;

/**
 * The statement that reserves a block, and returns its first id. Parameters: how many, environment.
 */
export function takeIdsStatement(schema: string): Statement {
  return statement(
    'reserve',
    '',
    `update ${quoted(schema)}.ids
    set next = next + $1::bigint + ${leftOut}, server_started = pg_postmaster_start_time()
    where environment = $2::text
    returning (next - $1::bigint)::text as answer`,
  );
}

/** The same in a transaction that may stay open: it locks nothing, and no rollback undoes it. */
export function takeIdsWithinStatement(schema: string): Statement {
  return statement(
    'reserve',
    '_within',
    `select (${quoted(schema)}.take_ids_2(environment, $1::bigint + ${leftOut}) + ${leftOut})::text as answer
    from ${quoted(schema)}.ids where environment = $2::text`,
  );
}

/** The row of ids ends at 2^53. */
const checkViolation = '23514';

const refused = (says: string, code?: string): Failure => ({
  ...never,
  code,
  cause: new Error(says),
});

/** No id is left. */
export const usedUp = refused('all ids are given out', idsUsedUp);

/** The answer of a statement that reserves ids: the first one. */
export function firstOf([text]: readonly (string | null)[]): Result<number, Failure> {
  if (text === null) return err(usedUp);
  const first = Number(text);
  if (Number.isSafeInteger(first)) return ok(first);
  return err(refused('the database has no row of ids: run "dealwright migrate"'));
}

/**
 * The blocks of an environment. If the connection is lost while one is reserved, the rest is
 * discarded: a block that was reserved ahead would never be reported.
 */
export function createIdBlocks(
  send: SendOnce,
  schema: string,
  environment: Environment,
  size: number,
): IdBlocks {
  const takeIds = takeIdsStatement(schema);
  // the server always counts up
  const fetch = async (count: number): Promise<Result<number, Failure>> => {
    const sent = await send(takeIds, [count, environment]);
    if (sent.isErr()) return err(sent.error.code === checkViolation ? usedUp : sent.error);
    return firstOf(sent.value);
  };
  const blocks = createBlocks({
    fetch,
    size,
    isUsedUp: (failure) => failure === usedUp,
    isLost: ({ isConnectionLost }: Failure) => isConnectionLost,
  });
  /** In any case no deal was written, and lost ids are discarded. */
  const none = (failure: Failure): Failure => ({
    ...failure,
    outcome: 'none',
    isConnectionLost: false,
  });
  return {
    ...blocks,
    take(...asked) {
      const taking = blocks.take(...asked);
      return typeof taking === 'number' ? taking : taking.then((taken) => taken.mapErr(none));
    },
  };
}
