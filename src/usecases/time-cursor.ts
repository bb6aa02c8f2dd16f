import { err, ok, type Result } from 'neverthrow';
import {
  type ListDealsError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { parseTimestamp } from '../domain/values/timestamp.js';
import { isUlid } from '../domain/values/ulid.js';
import type { IndexRange } from '../ports/store.js';
import type { Context } from './context.js';

/** The cursor after a record of an index by a time and a ULID. */
export function timeCursor(time: string | null, ulid: string): string {
  return `${time} ${ulid}`;
}

/** The page that a caller asks for of a list by a time: its size, and where in the index it is. */
export function parseTimePage(
  { parsePageQuery }: Context,
  input: unknown,
): Result<
  { readonly page_size: number; readonly range: Pick<IndexRange, 'after' | 'limit'> },
  WithoutMessage<ListDealsError>
> {
  const parsed = parsePageQuery(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { page_size, cursor } = parsed.value;
  // one more than the page shows tells whether there is another page
  const limit = page_size + 1;
  if (cursor === undefined) return ok({ page_size, range: { limit } });
  const [time = '', ulid = '', ...more] = cursor.split(' ');
  return parseTimestamp(time) !== undefined && isUlid(ulid) && more.length === 0
    ? ok({ page_size, range: { after: [time, ulid], limit } })
    : err({ code: 'invalid_cursor' });
}
