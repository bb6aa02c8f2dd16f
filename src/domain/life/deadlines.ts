import type { DealState, Draft } from '../payments/draft.js';
import { isWholePaid, openRequests } from '../payments/owed.js';
import type { Row } from '../records/records.js';
import { proposalEnd } from '../terms/proposal.js';
import { isFinal } from '../values/status.js';
import { formatTimestamp, movedBy } from '../values/timestamp.js';

/** A deal that is not accepted expires after this many days (decision 6.2). */
export const daysToAccept = 30;

/** A stage without an answer is approved after this many days (decision 6.1). */
export const daysToReview = 7;

/** A request for payment expires after this many days (decision 6.3). */
export const daysToPay = 14;

/** Days before a deal expires, and before a stage is approved, that the clock tells of it. */
export const [daysOfExpiryNotice, daysOfReviewNotice] = [3, 2];

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

/**
 * When the clock tells of an end that comes `days` after `start`: `notice` days before it, and never
 * if that is 0 (decision 7.10).
 */
export function noticeTime(start: string, days: number, notice: number): string | null {
  return notice === 0 ? null : daysAfter(start, days - notice);
}

/** When the clock tells that the review of a stage ends soon. */
export function reviewNotice({ status, notice_at }: Row<'stage'>): string | null {
  return status === 'submitted' ? notice_at : null;
}

/** Notes that it was told that the deal expires soon. */
export function tellExpiry(draft: Draft): undefined {
  draft.change('deal', draft.state.deal, { notice_at: null });
}

/** Notes that it was told of these stages that their review ends soon. */
export function tellReviewEnd(draft: Draft): undefined {
  for (const stage of [...draft.state.stage]) {
    const at = reviewNotice(stage);
    if (at !== null && at <= draft.now) draft.change('stage', stage, { notice_at: null });
  }
}

/** Days that an offer has at least once a proposal was decided, or has expired (decision 10.14). */
export const daysAfterProposal = 3;

/** When an offer ends of which a proposal was open until this time. */
function endAfter(expires_at: string, open: string): string {
  const end = daysAfter(open, daysAfterProposal);
  return end > expires_at ? end : expires_at;
}

/** When the offer of a deal ends, while it is one: an open proposal holds it (decision 10.14). */
export function offerEnd(deal: Row<'deal'>): string | null {
  const { status, expires_at } = deal;
  if (status !== 'created' || expires_at === null) return null;
  const open = proposalEnd(deal);
  return open === null ? expires_at : endAfter(expires_at, open);
}

/** When the clock tells that the offer ends soon: the notice keeps its distance from the end. */
export function offerNotice(deal: Row<'deal'>): string | null {
  const end = offerEnd(deal);
  return end === null ? null : noticeBefore(deal, end);
}

function noticeBefore({ notice_at, expires_at }: Row<'deal'>, end: string): string | null {
  if (notice_at === null || expires_at === null) return null;
  const further = new Date(end).getTime() - new Date(expires_at).getTime();
  return movedBy(notice_at, further);
}

/**
 * Sets the end of an offer anew (decision 10.14): an amendment starts its days again, and a proposal
 * that is open no more leaves some.
 */
export function keepOffer(draft: Draft): void {
  const { before, now, expiryNoticeDays = daysOfExpiryNotice } = draft;
  const { deal } = draft.state;
  if (deal.status !== 'created' || deal.expires_at === null) return;
  const open = deal.proposal === before.deal.proposal ? null : proposalEnd(before.deal);
  if (deal.terms_version !== before.deal.terms_version) {
    draft.change('deal', deal, {
      expires_at: daysAfter(now, daysToAccept),
      notice_at: noticeTime(now, daysToAccept, expiryNoticeDays),
    });
  } else if (open !== null) {
    const expires_at = endAfter(deal.expires_at, open < now ? open : now);
    draft.change('deal', deal, { expires_at, notice_at: noticeBefore(deal, expires_at) });
  }
}

/** When a request for payment expires (decision 6.3). */
export function requestEnd({ requested_at }: Row<'employer_payment'>): string {
  return daysAfter(requested_at, daysToPay);
}

/** Days after which an open proposal expires (decision 9.2). */
export const daysToDecide = 14;

/** Days of a stage that sets none (decision 9.13). */
export const defaultDays = 30;

/** Days that a stage has at least after changes were requested, or its terms were changed. */
const leastDays = 7;

/** The last moment that RFC 3339 can write. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** When work is due that was not delivered yet. */
export function workDue(stage: Row<'stage'>): string | null {
  const isWaiting = stage.status === 'pending' || stage.status === 'changes_requested';
  return isWaiting ? dueAt(stage) : null;
}

/** Says whether work is not delivered, and past its due date. */
export function isOverdue(stage: Row<'stage'>, now: string): boolean {
  const due = workDue(stage);
  return due !== null && due <= now;
}

/** The due date of a stage; while its days do not count, the deadline is only the earliest one. */
const dueAt = ({ started_at, deadline }: Row<'stage'>): string | null =>
  started_at === null ? null : deadline;

/** When a stage is due, if it is: also one that was delivered and not answered. */
export function shownDue(stage: Row<'stage'>): string | null {
  const { status } = stage;
  const isOpen = status === 'pending' || status === 'submitted' || status === 'changes_requested';
  return isOpen ? dueAt(stage) : null;
}

/** When the clock tells that a stage is overdue: once for each due date. */
export function tellTime(stage: Row<'stage'>): string | null {
  const due = workDue(stage);
  return due !== stage.overdue_told ? due : null;
}

/** Notes that these stages are overdue. */
export function tellOverdue(draft: Draft): undefined {
  for (const stage of [...draft.state.stage]) {
    const at = tellTime(stage);
    if (at !== null && at <= draft.now) draft.change('stage', stage, { overdue_told: at });
  }
}

/**
 * Counts the days of each stage (decision 9.13): from the acceptance of the deal, or in `prepaid`
 * from when the whole is paid. Changes give a stage some more days.
 */
export function keepDeadlines(draft: Draft): void {
  const { state, before, now } = draft;
  if (isFinal(state.deal.status)) return;
  const isRunning =
    state.deal.status !== 'created' &&
    (state.deal.mode !== 'prepaid' || isWholePaid(state, draft.books.balance()));
  for (const stage of [...state.stage]) {
    const { id, status, work_days, name, budget, started_at } = stage;
    if (status === 'approved' || status === 'paid' || status === 'cancelled') continue;
    const was = before.stage.find((each) => each.id === id);
    const isAmended =
      was !== undefined &&
      (was.name !== name || was.budget !== budget || was.work_days !== work_days);
    const isBack = was?.status === 'submitted' && status === 'changes_requested';
    const atLeast = isAmended || isBack ? daysAfter(now, leastDays) : null;
    if (!isRunning) {
      // the days begin anew, and not before this
      draft.change('stage', stage, { started_at: null, deadline: atLeast ?? stage.deadline });
      continue;
    }
    const start = started_at ?? now;
    const isKept = started_at !== null && !isAmended;
    const due = isKept ? stage.deadline : daysAfterStart(draft, stage, start);
    const least = atLeast ?? stage.deadline;
    const deadline = due !== null && least !== null && least > due ? least : due;
    draft.change('stage', stage, { started_at: start, deadline });
  }
}

/** The end of the days of a stage; `null` beyond the year 9999. */
function daysAfterStart(
  { state: { deal }, workDays = defaultDays }: Draft,
  { work_days }: Row<'stage'>,
  start: string,
): string | null {
  const days = work_days ?? deal.work_days ?? workDays;
  const end = daysAfter(start, Math.max(0, days));
  return end >= endOfTime ? null : end;
}

/** The requests for payment that were not paid in time. */
export function overdueRequests(state: DealState, now: string): readonly Row<'employer_payment'>[] {
  return openRequests(state).filter((payment) => requestEnd(payment) <= now);
}
