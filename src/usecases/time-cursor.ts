import { parseTimestamp } from '../domain/values/timestamp.js';
import { isUlid } from '../domain/values/ulid.js';

/** The cursor after a record of an index by a time and a ULID. */
export function timeCursor(time: string | null, ulid: string): string {
  return `${time} ${ulid}`;
}

/** The values after which the range of a cursor starts, if there is one. */
export function parseTimeCursor(
  cursor: string | undefined,
): readonly [time: string, ulid: string] | undefined | 'invalid_cursor' {
  if (cursor === undefined) return undefined;
  const [time = '', ulid = '', ...more] = cursor.split(' ');
  const isOne = parseTimestamp(time) !== undefined && isUlid(ulid) && more.length === 0;
  return isOne ? [time, ulid] : 'invalid_cursor';
}
