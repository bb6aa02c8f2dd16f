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
