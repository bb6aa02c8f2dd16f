/**
 * Makes a create repeatable (decision 2.7): the caller's key, and a digest of the operation
 * and its canonical input. It is stored with the record that the create made, in one write.
 */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/** 1 to 255 visible ASCII characters. */
const form = /^[\x21-\x7e]{1,255}$/;

/**
 * Says whether a value is an idempotency key: 1 to 255 visible ASCII characters (decision 2.7).
 *
 * @example
 * ```ts
 * import { isIdempotencyKey } from 'dealwright';
 *
 * isIdempotencyKey('order-1-first-try'); // true
 * isIdempotencyKey('order 1'); // false
 * ```
 */
export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && form.test(value);
}

/**
 * The text whose digest is the fingerprint: the operation and the parsed command, its members in
 * alphabetical order, defaults filled in and money in minor units.
 */
export function canonicalText(operation: string, command: object): string {
  const members = Object.entries(command)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]);
  return JSON.stringify([operation, members]);
}
