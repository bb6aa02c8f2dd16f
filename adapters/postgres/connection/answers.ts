import type { PostgresLike, PostgresStatement } from './postgres-like.js';

/**
 * The parsers of node-postgres for one statement, in place of those that a host has set for its
 * pool, or for all of the process. In the format `binary` a text comes as bytes.
 */
export const asSent = { getTypeParser: () => String };

/** Sends a statement, whose rows have one text each: `answer`. It returns the texts of its rows as the database sent them. */
export async function textsOf(
  db: PostgresLike,
  statement: Omit<PostgresStatement, 'types'>,
): Promise<readonly (string | null)[]> {
  const { rows } = await db.query({ ...statement, types: asSent });
  return textsIn(rows);
}

/** The texts of rows. Throws an `Error` if a library has changed one, or its name. */
export function textsIn(rows: unknown): readonly (string | null)[] {
  if (!Array.isArray(rows)) throw changed('no list of rows');
  return rows.map((row) => textOf(Object(row).answer));
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  // a library may take a text of digits for a number
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value);
  throw changed(value === undefined ? 'without its column' : `of the type ${typeof value}`);
}

/** The code of an answer that a library has changed. */
export const changedAnswer = 'CHANGED_ANSWER';

/** The error for it. */
export function changed(how: string): Error {
  const says = `the answer of a statement is ${how}, and not the text that the database sent: give the store a connection without the type parser, transform or plugin that changes texts`;
  return Object.assign(new Error(says), { code: changedAnswer });
}
