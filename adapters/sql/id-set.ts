/** Ids of a page, a bit for each, in words of 32. */
const pageSize = 128;
const words = pageSize / 32;

/**
 * Integer ids, 1 to 2^53-1. Each page with ids takes 24 bytes, and room to grow: a byte or less for
 * each consecutive id, 32 to 64 for one that is far from all others.
 */
export interface IdSet {
  /** Adds an id, and says whether it is new. Throws if it cannot be an id. */
  add(id: number): boolean;
}

/** No ids. */
export function createIdSet(): IdSet {
  // its own table: a Map or a Set ends at 2^24, and takes more memory
  let table = createTable(64);
  return {
    add(id) {
      if (!(Number.isSafeInteger(id) && id >= 1)) {
        throw new Error('the archive holds an id that is no integer from 1 to 2^53-1');
      }
      const page = Math.floor(id / pageSize);
      let place = placeOf(table, page);
      if (table.pages[place] === 0) {
        if (table.count >= table.pages.length * 0.75) {
          table = twice(table);
          place = placeOf(table, page);
        }
        table.count += 1;
        table.pages[place] = page + 1;
      }
      const within = id % pageSize;
      const at = place * words + (within >> 5);
      const word = table.bits[at] ?? 0;
      const bit = 1 << (within & 31);
      table.bits[at] = word | bit;
      return (word & bit) === 0;
    },
  };
}

/** A hash table of pages, by their numbers. */
interface Table {
  /**
   * One more than the number of each page, and 0 if there is none; its length is a power of two.
   */
  readonly pages: Float64Array;
  readonly bits: Uint32Array;
  count: number;
}

function createTable(places: number): Table {
  return { pages: new Float64Array(places), bits: new Uint32Array(places * words), count: 0 };
}

/** The place of a page, whether it exists or not. */
function placeOf({ pages }: Table, page: number): number {
  const last = pages.length - 1;
  const mixed = Math.imul(page ^ Math.imul(Math.floor(page / 2 ** 32), 0x85ebca6b), 0x9e3779b1);
  // the upper bits depend on all of the lower ones
  let place = (mixed ^ (mixed >>> 15)) & last;
  for (;;) {
    const found = pages[place];
    if (found === 0 || found === page + 1) return place;
    place = (place + 1) & last;
  }
}

function twice(table: Table): Table {
  const wider = createTable(table.pages.length * 2);
  for (const [from, numbered] of table.pages.entries()) {
    if (numbered === 0) continue;
    const place = placeOf(wider, numbered - 1);
    wider.pages[place] = numbered;
    wider.bits.set(table.bits.subarray(from * words, (from + 1) * words), place * words);
  }
  wider.count = table.count;
  return wider;
}
