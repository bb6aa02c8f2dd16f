import type { Row } from '../records/records.js';
import { unitOf, wholeUnits } from '../values/currency-unit.js';
import { fromMinorUnits, type Money } from '../values/money.js';
import { isOpen } from '../values/payment-status.js';
import { isFinal } from '../values/status.js';
import { type Books, createBooks } from './books.js';
import type { DealState } from './draft.js';
import { toRefund } from './intents.js';
import {
  type Balance,
  balanceOf,
  cameBack,
  feeOnly,
  isLive,
  least,
  minorUnits,
  notBelowZero,
  sum,
} from './ledger.js';

type Stage = Row<'stage'>;
type Fee = 'employer_fee' | 'contractor_fee';
type Planned = Pick<DealState, 'deal' | 'stage' | 'contractor_payment'>;
type Owing = Planned & Pick<DealState, 'posting'>;

/** The most payments of employers in a deal, not counting money that came without a request. */
export const mostPayments = 200;

/** The full price of a stage: a budget of zero or less costs nothing. */
export function fullPriceOf({ budget }: Pick<Stage, 'budget'>): Money {
  return notBelowZero(minorUnits(budget));
}

/** The price of a stage: a dispute may have left less of it. */
export function priceOf({ agreed_amount, budget }: Stage): Money {
  return fullPriceOf({ budget: agreed_amount ?? budget });
}

/** Says whether the work of a stage was accepted. */
export const isAccepted = ({ status }: Pick<Stage, 'status'>): boolean =>
  status === 'approved' || status === 'paid';

/** The stages that are still part of a deal. */
export function remainingStages<S extends Pick<Stage, 'status'>>({
  stage,
}: {
  readonly stage: readonly S[];
}): readonly S[] {
  return stage.filter(({ status }) => status !== 'cancelled');
}

/** The part of a fee of the deal for a stage of this price, in proportion, down to the unit. */
export function feeFor(state: DealState, fee: Fee) {
  const whole = sum(remainingStages(state), priceOf);
  const unit = unitOf(state.deal.currency);
  return (price: bigint) =>
    whole > 0n ? wholeUnits((minorUnits(state.deal[fee]) * price) / whole, unit) : 0n;
}

/** The part of a fee of the deal that no payout was planned with, and no stage has paid. */
export function unplannedFee(
  { deal, stage, contractor_payment }: Planned,
  books: Pick<Books, 'of'>,
  fee: Fee,
): bigint {
  // the fee of a payout that came back stays, even once it is cancelled
  const planned = contractor_payment.filter((each) => isLive(each) || cameBack(books, each));
  return (
    minorUnits(deal[fee]) -
    sum(planned, (each) => minorUnits(each[fee])) -
    sum(remainingStages({ stage }), (each) => {
      const posted = books.of(feeOnly(each.id)).fees;
      // up to the price of the stage it was the contractor's fee
      const ofContractor = least(posted, priceOf(each));
      return fee === 'contractor_fee' ? ofContractor : posted - ofContractor;
    })
  );
}

/** What the employer owes for the stages whose work was accepted, with its part of the fee. */
function owedForWork(state: DealState): Money {
  const isOpen = (stage: Stage) => !isAccepted(stage) && priceOf(stage) > 0n;
  if (!remainingStages(state).some(isOpen)) return owedInAll(state);
  const feeOf = feeFor(state, 'employer_fee');
  return sum(state.stage.filter(isAccepted), (each) => priceOf(each) + feeOf(priceOf(each)));
}

/**
 * What the employer owes for the whole deal. Once the deal is completed, only the part of its fee
 * that payouts were planned with: the part of a stage that was cancelled is not charged.
 */
export function owedInAll(state: Owing): Money {
  const stages = remainingStages(state);
  const price = sum(stages, priceOf);
  if (price === 0n) return price;
  const isOver = state.deal.status === 'completed';
  const spared = isOver ? unplannedFee(state, createBooks(state.posting), 'employer_fee') : 0n;
  return fromMinorUnits(price + minorUnits(state.deal.employer_fee) - notBelowZero(spared));
}

/** The sums that say what is still to be paid. */
type Paid = Pick<Balance, 'net' | 'written_off'>;

/** What is written off of what the employer owes: money that comes later lessens it (decision 10.11). */
export function writtenOff(state: Owing, { net, written_off }: Paid): Money {
  return written_off === 0n ? written_off : least(written_off, owedInAll(state) - net);
}

/** What is still to be paid for the whole deal; zero once it has ended without its work. */
export function outstanding(state: Owing, { net, written_off }: Paid): Money {
  const { status } = state.deal;
  const isOver = isFinal(status) && status !== 'completed';
  return isOver ? fromMinorUnits(0n) : notBelowZero(owedInAll(state) - net - written_off);
}

/** What the employer is to pay by now: before the work in `prepaid`, else after its approval. */
export function owedByNow(state: DealState): Money {
  const { mode, status } = state.deal;
  if (status === 'created') return fromMinorUnits(0n);
  return mode === 'prepaid' ? owedInAll(state) : owedForWork(state);
}

/** The sum that is due by now and has not come, however much of it was asked for. */
export function dueInAll(
  state: DealState,
  { net, written_off }: Paid = balanceOf(state.posting),
): Money {
  return notBelowZero(owedByNow(state) - (net - toRefund(state)) - written_off);
}

/** The sum that is due by now and was not asked for yet. */
export function dueNow(state: DealState, balance?: Balance): Money {
  const asked = sum(openRequests(state), ({ amount }) => minorUnits(amount));
  return notBelowZero(dueInAll(state, balance) - asked);
}

/** Whether the employer has paid the whole deal, but for bonuses that are not paid out yet. */
export function isWholePaid(
  state: DealState,
  { net, written_off }: Paid = balanceOf(state.posting),
): boolean {
  const bonuses = state.stage.filter(
    ({ kind, status }) => kind === 'bonus' && status === 'approved',
  );
  const feeOf = feeFor(state, 'employer_fee');
  const spared = sum(bonuses, (each) => priceOf(each) + feeOf(priceOf(each)));
  return net - toRefund(state) + written_off >= owedInAll(state) - spared;
}

/** The requests that the employer may still pay. */
export function openRequests({ employer_payment }: DealState): readonly Row<'employer_payment'>[] {
  return employer_payment.filter(({ status }) => isOpen(status));
}
