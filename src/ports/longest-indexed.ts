import type { Kind, records } from '../domain/records/records.js';
import { key, type LongestKey, longestKeys } from './longest-keys.js';

type Records = typeof records;

/** The fields that some index has, of whichever kind. */
type IndexedField = {
  [K in Kind]:
    | Records[K]['indexes'][number][number]
    | (Records[K] extends { readonly across: readonly (infer I extends readonly string[])[] }
        ? I[number]
        : never);
}[Kind];

const time = key('2026-01-01T00:00:00.000Z'.length);

/**
 * The longest value of each field that an index has, by its name: it is the same in every kind. An
 * integer is as long as its digits. A text in no index is of any length.
 *
 * @example
 * ```ts
 * import { longestIndexed } from 'dealwright/ports';
 *
 * longestIndexed.title; // { characters: 200, bytes: 800 }
 * ```
 */
export const longestIndexed: Readonly<Record<IndexedField, LongestKey>> = {
  id: longestKeys.work_file,
  attempt: longestKeys.work_file,
  partner_id: longestKeys.deal,
  consumer: longestKeys.consumer,
  sequence: longestKeys.stage,
  subject: key('contractor:'.length + 254),
  title: key(0, 200),
  email_key: key(254),
  payment_token: key(2048),
  reference: key(0, 255),
  status: key('changes_requested'.length),
  freelancer_status: key('accepted'.length),
  attention: key('true'.length),
  alert: key('payment_overdue'.length),
  created_at: time,
  status_since: time,
  alert_at: time,
  due_at: time,
  waiting_since: time,
  failing_since: time,
  failed_at: time,
};
