import { failureOf } from './failures.js';
import type { PostgresLike } from './postgres-like.js';

/** Queries several times: a pool would use several connections, and wait for its own locks. */
export async function checkIsOne(client: PostgresLike): Promise<void> {
  const seen = new Set<unknown>();
  for (let time = 0; time < 3; time += 1) {
    const [row] = await ask(client, 'select pg_backend_pid()::text as answer');
    seen.add(row?.['answer']);
  }
  if (seen.size !== 1) throw notOne();
}

/** The rows of a statement; a failure rejects without the values in its error. */
export async function ask(
  client: PostgresLike,
  text: string,
  values?: unknown[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const { rows } = await client.query(values === undefined ? { text } : { text, values });
    return rows;
  } catch (error) {
    throw failureOf(error).cause;
  }
}

/** Rolls a transaction back. */
export async function giveUp(client: PostgresLike): Promise<void> {
  try {
    await client.query({ text: 'rollback' });
  } catch {
    // the connection is gone, and the transaction with it
  }
}

/** The error for statements on several connections. */
export function notOne(): Error {
  return new Error(
    'an archive needs one connection, for all of its statements: a pool has several',
  );
}
