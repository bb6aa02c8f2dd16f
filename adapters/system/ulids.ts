import type { Ids } from 'dealwright/ports';
import { ulid } from 'ulid';

const poolSize = 1024;
/** Crockford's Base32, the alphabet of ULIDs. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Every two letters, in order: ten bits each. */
const pairs: readonly string[] = /* @__PURE__ */ [...letters].flatMap((first) =>
  [...letters].map((second) => first + second),
);
const tailLength = 6;
const lastTail = letters.length ** tailLength - 1;

/**
 * ULIDs that only ever rise within one process. Each millisecond begins with one from the library;
 * the next ones count up its last six letters, as in the ULID specification ("Monotonicity"),
 * without processing all its letters again. If those run out, or the clock is set back, the next
 * ids are of a later millisecond.
 *
 * Random bytes are drawn from the runtime a kilobyte at a time: drawing them one at a time makes a
 * plain `ulid()` cost some 26 microseconds.
 *
 * @example
 * ```ts
 * import { createUlids } from 'dealwright/system';
 *
 * const ids = createUlids();
 * ids.next() < ids.next(); // true
 * ```
 */
export function createUlids(): Ids {
  const random = createRandom();
  let millisecond = 0;
  let head = '';
  let tail = lastTail;
  // all but the last two letters, joined once for a thousand ids
  let stem = '';

  function begin(at: number): void {
    const id = ulid(at, random);
    millisecond = at;
    head = id.slice(0, -tailLength);
    tail = [...id.slice(-tailLength)].reduce(
      (value, letter) => value * letters.length + letters.indexOf(letter),
      0,
    );
    stem = id.slice(0, -2);
  }

  function countUp(): void {
    tail += 1;
    if ((tail & 1023) === 0) stem = `${head}${pairs[tail >> 20]}${pairs[(tail >> 10) & 1023]}`;
  }

  return {
    next() {
      const now = Date.now();
      if (now > millisecond) begin(now);
      else if (tail === lastTail) begin(millisecond + 1);
      else countUp();
      return `${stem}${pairs[tail & 1023]}`;
    },
  };
}

/** Fractions from 0 to 255/256: all 32 letters are equally likely, and 1 is never reached. */
function createRandom(): () => number {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return () => {
    if (used === poolSize) {
      globalThis.crypto.getRandomValues(pool);
      used = 0;
    }
    const byte = pool[used] ?? 0;
    used += 1;
    return byte / 256;
  };
}
