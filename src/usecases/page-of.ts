import { jsonBytes } from '../domain/values/json-bytes.js';

/** The most bytes of JSON in a page of more than one result (decision 9.11). */
export const longestPage = 256_000;

/** The position from which a list is read, as far as its pages need it. */
interface From {
  /** Whether it is read towards its beginning. */
  readonly isBack: boolean;
  /** Whether the caller has a page already: there is at least that one beyond the position. */
  readonly hasCaller: boolean;
}

/**
 * A page of a list, out of rows in the order of the list: those from a position on, and one more
 * than the page has if there are more.
 */
export function pageOf<T>(found: readonly T[], size: number, { isBack, hasCaller }: From) {
  const hasMore = found.length > size;
  const rows = isBack ? found.slice(hasMore ? -size : 0) : found.slice(0, size);
  return {
    rows,
    hasNext: isBack ? hasCaller : hasMore,
    hasPrevious: isBack ? hasMore : hasCaller,
  };
}

/**
 * How many of the first rows are a page: `page_size`, or as many as `longestPage` holds, but at
 * least one. The bytes of a row are those that the page shows of it.
 */
export function fitting(rows: readonly { readonly bytes: number }[], page_size: number): number {
  // the brackets of the list
  let sum = 2;
  const end = rows.findIndex(({ bytes }, at) => {
    sum += bytes + 1;
    return at === page_size || (at > 0 && sum > longestPage);
  });
  return end < 0 ? rows.length : end;
}

/** The first results of a list that are a page, so measured. */
export function fittingResults<T>(results: readonly T[], page_size: number): readonly T[] {
  const sized = results.slice(0, page_size).map((each) => ({ bytes: jsonBytes(each) }));
  return results.slice(0, fitting(sized, page_size));
}

/** What is known of the rows of a page before the next read. */
interface Known {
  /** The bytes of the longest one, or as many as one may be expected to have. */
  readonly longest: number;
  /** The bytes that the page holds. */
  readonly held: number;
  /** The most rows that are wanted. */
  readonly most: number;
}

/**
 * How many rows the next read of a page takes: as many as the page has room for if none is longer
 * than the longest so far. So a page of long rows reads little more than it shows.
 */
export function nextBatch({ longest, held, most }: Known): number {
  return Math.max(1, Math.min(most, 1 + Math.floor((longestPage - held) / longest)));
}

/** The bytes of some rows. */
export function bytesIn(rows: readonly { readonly bytes: number }[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
