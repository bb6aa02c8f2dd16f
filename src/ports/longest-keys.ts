import type { Kind } from '../domain/records/records.js';
import { longestPartner } from '../domain/values/tenant.js';

/** The longest key of a kind, so that a store can compute the length of its own keys. */
export interface LongestKey {
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** A text of a number of ASCII characters and a number of any characters. */
export function key(ascii: number, any = 0): LongestKey {
  return { characters: ascii + any, bytes: ascii + 4 * any };
}

const ulid = key(26);
const partnerId = 40;

/**
 * The longest key that the core gives a record of each kind. An integer is as long as its digits.
 *
 * @example
 * ```ts
 * import { longestKeys } from 'dealwright/ports';
 *
 * longestKeys.deal; // { characters: 40, bytes: 160 }
 * ```
 */
export const longestKeys: Readonly<Record<Kind, LongestKey>> = {
  // an address, and the partner that alone knows the contractor
  contractor: key(254 + ' '.length, longestPartner),
  deal: key(0, partnerId),
  stage: key(String(Number.MAX_SAFE_INTEGER).length),
  work_file: ulid,
  employer_payment: ulid,
  contractor_payment: ulid,
  posting: ulid,
  intent: ulid,
  // as JSON, in which a control character of the reference takes six
  payment_report: key(`["","partially_refunded",""]`.length + 26 + 6 * 255),
  // a SHA-256 in hexadecimal digits
  unmatched_report: key(64),
  proposal: ulid,
  terms: key(' '.length + 10, partnerId),
  webhook: ulid,
  consumer: key('subscription:'.length + 100),
  delivery: ulid,
  // `sandbox`: a tenant has one, and in the contract of stores several
  sandbox_clock: ulid,
  answer: key('command sandbox freelancer  '.length + 255, partnerId),
  event: ulid,
};
