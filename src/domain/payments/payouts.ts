import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import { isFinal } from '../values/status.js';
import type { Books } from './books.js';
import type { DealState, Draft } from './draft.js';
import { dealEvent, paymentEvent } from './draft.js';
import { follow } from './follow.js';
import { askedBack, endIntents, intend, toRefund } from './intents.js';
import {
  cameBack,
  feeOnly,
  feesToPost,
  isLive,
  least,
  minorUnits,
  reserves,
  spend,
  sum,
} from './ledger.js';
import { feeFor, outstanding, priceOf, remainingStages, unplannedFee } from './owed.js';
import { usable } from './write-off.js';

type Payout = Row<'contractor_payment'>;

/** Whether a payout can still be cancelled: the provider is not working on it. */
export const isWaiting = ({ status }: Payout): boolean =>
  status === 'scheduled' || status === 'failed' || status === 'returned';

/**
 * The payouts that came back, the last of each paid stage, if no other payout of the stage was paid
 * or may be on its way: the contractor does not have that money.
 */
export function lostPayouts(
  { stage, contractor_payment }: Pick<DealState, 'stage' | 'contractor_payment'>,
  books: Pick<Books, 'of'>,
): readonly Payout[] {
  // as in most deals
  if (contractor_payment.length === 0) return [];
  const isDone = ({ status }: Payout) => status === 'paid' || status === 'processing';
  const done = new Set(contractor_payment.filter(isDone).map(({ stage_id }) => stage_id));
  const open = new Set(
    stage.flatMap(({ id, status }) => (status === 'paid' && !done.has(id) ? [id] : [])),
  );
  const lost = contractor_payment.filter(
    (each) => open.has(each.stage_id) && cameBack(books, each),
  );
  return [...new Map(lost.map((each) => [each.stage_id, each])).values()];
}

/**
 * The held money that is meant for contractors, without payouts that may be on their way. A deal
 * that ended without its work keeps nothing for lost payouts.
 */
export function promised({ state, books }: Pick<Draft, 'state' | 'books'>): bigint {
  const { status } = state.deal;
  const isOver = isFinal(status) && status !== 'completed';
  const waiting = state.contractor_payment.filter(isWaiting);
  const covered = new Set(waiting.map(({ stage_id }) => stage_id));
  const lost = isOver ? [] : lostPayouts(state, books);
  const uncovered = lost.filter(({ stage_id }) => !covered.has(stage_id));
  return sum(waiting, reserves(state, books)) + sum(uncovered, ({ amount }) => minorUnits(amount));
}

/** The held money that goes back to the employer, which no payout may use. */
const heldBack = (state: DealState): bigint => {
  const [asked, all] = [askedBack(state.intent), toRefund(state)];
  return asked > all ? asked : all;
};

/**
 * Cancels payouts that are not wanted any more, or that the held money does not cover; of a deal
 * that is settled, all of stages that are not paid (decision 9.8).
 */
export function cancelPayouts(draft: Draft, isSettled = false): void {
  const { state, books } = draft;
  const waiting = state.contractor_payment.filter(isWaiting);
  if (waiting.length === 0) return;
  const isStopped = isSettled || isFinal(state.deal.status) || state.deal.status === 'disputed';
  const stages = new Map(state.stage.map(({ id, status }) => [id, status]));
  const isDone = ({ status }: Payout) => status === 'paid' || status === 'processing';
  const covered = new Set(state.contractor_payment.filter(isDone).map(({ stage_id }) => stage_id));
  const lost = new Set(lostPayouts(state, books).map(({ stage_id }) => stage_id));
  // of a stage that is paid, the one that was planned last
  const last = new Map(waiting.map((each) => [each.stage_id, each]));
  const reserve = reserves(state, books);
  let free = usable(draft) - heldBack(state);
  for (const payout of waiting) {
    const { stage_id } = payout;
    const isApproved = stages.get(stage_id) === 'approved';
    const isWanted = isApproved ? !isStopped : lost.has(stage_id) && last.get(stage_id) === payout;
    const taken = reserve(payout);
    if (!isWanted || covered.has(stage_id) || taken > free) {
      endPayout(draft, payout);
      continue;
    }
    free -= taken;
    covered.add(stage_id);
  }
}

function endPayout(draft: Draft, payout: Payout): void {
  draft.change('contractor_payment', payout, { status: 'cancelled', updated_at: draft.now });
  endIntents(draft, payout.id, 'cancelled');
  paymentEvent(draft, 'contractor_payment', payout.id);
}

/**
 * Schedules a payout for each approved stage, in order, as soon as enough is held; and again for a
 * stage whose payout came back and was cancelled because too little was held for it.
 */
export function schedulePayouts(draft: Draft): void {
  const { state, books } = draft;
  if (state.deal.status === 'disputed') return;
  const live = state.contractor_payment.filter(isLive);
  const covered = new Set(live.map(({ stage_id }) => stage_id));
  const lost = new Map(lostPayouts(state, books).map((each) => [each.stage_id, each]));
  const isOpen = ({ id, status }: Row<'stage'>) =>
    !covered.has(id) && (status === 'approved' || lost.has(id));
  // a bonus is paid out once nothing is outstanding, and no refund takes of what was paid
  const isAllPaid = () => {
    const { net, written_off } = books.balance();
    return outstanding(state, { net: fromMinorUnits(net - toRefund(state)), written_off }) === 0n;
  };
  const isDue = ({ kind }: Row<'stage'>) => kind !== 'bonus' || isAllPaid();
  const open = state.stage.filter((each) => isOpen(each) && isDue(each));
  if (open.length === 0) return;
  const fees = planFeesOfStages(draft);
  const waiting = sum(live.filter(isWaiting), reserves(state, books));
  let free = usable(draft) - waiting - heldBack(state);
  let isShort = false;
  for (const stage of open) {
    const again = lost.get(stage.id);
    const price = priceOf(stage);
    if (price === 0n) {
      payStage(draft, stage.id);
      continue;
    }
    const { employer, contractor } = again ? noFees : fees.of(stage);
    const amount = again ? minorUnits(again.amount) : price - contractor;
    const taken = amount + employer + contractor;
    // the next stages wait for this one, even if less money would do for them
    isShort ||= taken > free;
    if (isShort) continue;
    free -= taken;
    fees.plan(stage, employer, contractor);
    if (amount > 0n) schedulePayout(draft, stage.id, amount, employer, contractor);
    else {
      // the fee leaves nothing to pay out
      spend(draft, 'fee', feeOnly(stage.id), 'fees', taken);
      payStage(draft, stage.id);
    }
  }
}

const noFees = { employer: 0n, contractor: 0n };

function schedulePayout(
  draft: Draft,
  stage_id: number,
  amount: bigint,
  employer: bigint,
  contractor: bigint,
): void {
  const payout = draft.insert('contractor_payment', {
    id: draft.newId(),
    stage_id,
    amount: formatMoney(fromMinorUnits(amount)),
    employer_fee: formatMoney(fromMinorUnits(employer)),
    contractor_fee: formatMoney(fromMinorUnits(contractor)),
    status: 'scheduled',
    reason: null,
    reference: null,
    retries: 0,
    requested_at: draft.now,
    updated_at: draft.now,
  });
  paymentEvent(draft, 'contractor_payment', payout.id);
  intend(draft, 'pay_out', payout.id, payout.amount);
}

/** The fees of stages that have no payout yet: in proportion, the remainder with the last. */
function planFeesOfStages({ state, books }: Draft) {
  const live = state.contractor_payment.filter(isLive);
  const covered = new Set(live.map(({ stage_id }) => stage_id));
  const isOpen = (each: Row<'stage'>) =>
    each.status !== 'paid' && !covered.has(each.id) && priceOf(each) > 0n;
  const open = new Set(
    remainingStages(state)
      .filter(isOpen)
      .map(({ id }) => id),
  );
  const left = {
    employer_fee: unplannedFee(state, books, 'employer_fee'),
    contractor_fee: unplannedFee(state, books, 'contractor_fee'),
  };
  const shares = {
    employer_fee: feeFor(state, 'employer_fee'),
    contractor_fee: feeFor(state, 'contractor_fee'),
  };
  return {
    of(stage: Row<'stage'>) {
      const price = priceOf(stage);
      const isLast = open.size === 1 && open.has(stage.id);
      const shareOf = (fee: keyof typeof left) => (isLast ? left[fee] : shares[fee](price));
      return {
        employer: least(shareOf('employer_fee'), left.employer_fee),
        contractor: least(least(shareOf('contractor_fee'), left.contractor_fee), price),
      };
    },
    plan({ id }: Row<'stage'>, employer: bigint, contractor: bigint) {
      open.delete(id);
      left.employer_fee -= employer;
      left.contractor_fee -= contractor;
    },
  };
}

/** Books an attempt of a payout as gone, its fee with the first, even if too little is held. */
export function release(draft: Draft, payout: Payout, attempt: number): void {
  const { id, amount } = payout;
  const fees = feesToPost(draft.state, draft.books)(payout);
  spend(draft, 'payout', id, 'contractor', minorUnits(amount), attempt);
  spend(draft, 'fee', id, 'fees', fees);
}

/** Marks a stage as paid: the contractor has its money, or there was none to pay. */
export function payStage(draft: Draft, id: number): void {
  const stage = draft.find('stage', id);
  if (stage?.status !== 'approved') return;
  draft.change('stage', stage, { status: 'paid' });
  follow(draft);
  const isLast = draft.state.deal.status === 'completed';
  dealEvent(draft, isLast ? 'deal.completed' : 'deal.stage_paid', { stage_ids: [id] });
}
