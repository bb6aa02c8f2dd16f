import type { ServicePromises } from '../../src/api/answers.js';
import { notApplicable } from '../laws.js';

/**
 * What laws follow: the promises of a service (decision 11.5), but for its environment and its
 * versions, which a run knows otherwise.
 */
export type Promised = Omit<ServicePromises, 'environment' | 'versions'>;

/** What a server promises that tells nothing else: the values of the decisions. */
export const usualPromises: Promised = {
  mode: 'invoice',
  profile: 'interface',
  contractor_scope: 'environment',
  copyright_transfer: ['full_transfer', 'license', 'none'],
  freelancer_language: ['pl', 'en'],
  max_file_size: 25 * 2 ** 20,
  max_body_size: 2 ** 20,
  max_description: 20_000,
  takes_fees: false,
  splits_deals: false,
  expires_v1_deals: false,
  default_work_days: 30,
  proposal_days: 14,
  expiry_notice_days: 3,
  review_notice_days: 2,
  key_days: 30,
  accepts_bearer: false,
  allows_any_origin: false,
};

/** A value of a set: the one of the examples if the server takes it, or else its first. */
export function oneOf<const T extends string>(value: T, set: readonly string[]): string {
  return set.includes(value) ? value : (set[0] ?? value);
}

/** The values of the examples that a server may refuse, as it takes them. */
export const chosen = ({ copyright_transfer, freelancer_language }: Promised) => ({
  copyright_transfer: oneOf('full_transfer', copyright_transfer),
  freelancer_language: oneOf('pl', freelancer_language),
});

/** Bytes that a case sends at most. */
const mostSent = 64 * 2 ** 20;

/** The bytes of a limit, which a case goes beyond. */
export const within = (limit: number): number =>
  limit < mostSent ? limit : notApplicable('its limit is beyond what a run sends');
