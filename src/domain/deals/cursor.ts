import { canonicalText } from '../values/idempotency.js';
import { isUlid } from '../values/ulid.js';
import type { DealFilter } from './deal-list.js';

/**
 * The place of a deal in the list of its tenant: newest first. Of two that were created in the same
 * millisecond, the one whose first event has the later ULID comes first. The place never changes.
 */
export interface DealPosition {
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** The attempt that created the deal, a ULID. */
  readonly attempt: string;
}

/** The edge of a range of a list: the deals older than a position, or newer. */
export interface Edge {
  readonly direction: 'older' | 'newer';
  /** Not part of the range itself; without it the range begins at the newest deal. */
  readonly from: DealPosition | undefined;
}

const form = /^([on])(?:-(\d{1,15})-([^-]+))?-(.+)$/s;

/** The text of a cursor: its edge, and a digest of the filter that it belongs to. */
export function formatCursor({ direction, from }: Edge, filterDigest: string): string {
  const position =
    from === undefined ? '' : `-${new Date(from.created_at).getTime() + shift}-${from.attempt}`;
  return `${direction === 'older' ? 'o' : 'n'}${position}-${filterDigest}`;
}

/**
 * The edge of a cursor of a list with this filter, or `undefined` if it is not a cursor
 * of this list.
 */
export function parseCursor(cursor: string, filterDigest: string): Edge | undefined {
  const [, letter, time, attempt, digest] = form.exec(cursor) ?? [];
  if (letter === undefined || digest !== filterDigest) return undefined;
  const direction = letter === 'o' ? 'older' : 'newer';
  if (time === undefined || attempt === undefined) return { direction, from: undefined };
  const milliseconds = Number(time) - shift;
  // a position that no store gave is refused without a look-up
  if (milliseconds > latest || !isUlid(attempt)) return undefined;
  return { direction, from: { created_at: new Date(milliseconds).toISOString(), attempt } };
}

/** The text whose digest tells one filter from another. */
export function filterText(filter: DealFilter): string {
  return canonicalText('list_employer_deals', filter);
}

/** 0000-01-01T00:00:00.000Z is 0 in a cursor, so that no time has a sign. */
const shift = 62_167_219_200_000;
/** 9999-12-31T23:59:59.999Z */
const latest = 253_402_300_799_999;
