import { randomBytes } from 'node:crypto';

/** 48 bits of time and 80 random bits, in Crockford's base 32. */
export function ulid() {
  const now = Date.now();
  const time = Array.from({ length: 10 }, (_, at) => Math.floor(now / 32 ** (9 - at)));
  const digits = [...time, ...randomBytes(16)];
  return digits.map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[digit % 32]).join('');
}
