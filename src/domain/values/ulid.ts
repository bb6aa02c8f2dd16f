const form = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Says whether a value is a ULID in its canonical form, in upper case.
 *
 * @example
 * ```ts
 * import { isUlid } from 'dealwright/ports';
 *
 * isUlid('01KDVE00000000000000000000'); // true
 * ```
 */
export function isUlid(value: unknown): value is string {
  return typeof value === 'string' && form.test(value);
}

/** The milliseconds since 1970 that a ULID begins with: ten characters of five bits each. */
export function timeOfUlid(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((time, letter) => time * 32 + alphabet.indexOf(letter), 0);
}

/** The longest time in a ULID: 48 bits. */
const latest = 2 ** 48 - 1;

/** The first ULID of a time, in milliseconds since 1970. */
export function firstUlid(time: number): string {
  return ulidOf(Math.min(Math.max(time, 0), latest), new Uint8Array(16));
}

/**
 * The ULID of a time, in milliseconds since 1970, and of random bytes, of which it takes 16.
 *
 * @example
 * ```ts
 * import { ulidOf } from 'dealwright/ports';
 *
 * const id = ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
 * ```
 */
export function ulidOf(time: number, random: Uint8Array): string {
  const letter = (five: number) => alphabet.charAt(five % 32);
  const times = Array.from({ length: 10 }, (_, at) => letter(Math.floor(time / 32 ** (9 - at))));
  return times.join('') + Array.from({ length: 16 }, (_, at) => letter(random[at] ?? 0)).join('');
}
