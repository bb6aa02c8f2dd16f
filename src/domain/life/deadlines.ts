import type { DealState } from '../payments/draft.js';
import { openRequests } from '../payments/owed.js';
import type { Row } from '../records/records.js';
import { formatTimestamp } from '../values/timestamp.js';

/** A deal that is not accepted expires after this many days (decision 6.2). */
export const daysToAccept = 30;

/** A stage without an answer is approved after this many days (decision 6.1). */
export const daysToReview = 7;

/** A request for payment expires after this many days (decision 6.3). */
export const daysToPay = 14;

const day = 24 * 60 * 60 * 1000;

/** The time a number of days after a time. */
export function daysAfter(time: string, days: number): string {
  // a stored time has the one form that every runtime reads
  return formatTimestamp(new Date(time).getTime() + days * day);
}

/** When the clock approves a stage without an answer (decision 6.1). */
export function reviewEnd({ status, submitted_at }: Row<'stage'>): string | null {
  return status === 'submitted' && submitted_at !== null
    ? daysAfter(submitted_at, daysToReview)
    : null;
}

/** When a request for payment expires (decision 6.3). */
export function requestEnd({ requested_at }: Row<'employer_payment'>): string {
  return daysAfter(requested_at, daysToPay);
}

/** The requests for payment that were not paid in time. */
export function overdueRequests(state: DealState, now: string): readonly Row<'employer_payment'>[] {
  return openRequests(state).filter((payment) => requestEnd(payment) <= now);
}
