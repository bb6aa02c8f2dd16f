/** Ids that a page holds, a bit for each. */
const pageSize = 1_024;

/** Integer ids, 1 to 2^53-1. As stores give them, one behind the other, each takes a bit or two. */
export interface IdSet {
  /** Adds an id, and says whether it is new. */
  add(id: number): boolean;
}

/** No ids. */
export function createIdSet(): IdSet {
  const pages = new Map<number, Uint8Array>();
  return {
    add(id) {
      const number = Math.floor(id / pageSize);
      const page = pages.get(number) ?? new Uint8Array(pageSize / 8);
      pages.set(number, page);
      const at = id % pageSize;
      const byte = page[at >> 3] ?? 0;
      const bit = 1 << (at & 7);
      page[at >> 3] = byte | bit;
      return (byte & bit) === 0;
    },
  };
}
