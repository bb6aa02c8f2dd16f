import { encodeBytes } from './base64url.js';

const poolSize = 4096;

/**
 * Random bytes of the runtime in base64url. They are drawn four kilobytes at a time, because each
 * call of `getRandomValues` costs a microsecond or more. No byte is used twice, and returned bytes
 * are not kept.
 */
export function createRandomText(): (bytes: number) => string {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return (bytes) => {
    if (used + bytes > poolSize) {
      globalThis.crypto.getRandomValues(pool);
      used = 0;
    }
    const end = used + bytes;
    const text = encodeBytes(pool.subarray(used, end));
    pool.fill(0, used, end);
    used = end;
    return text;
  };
}
