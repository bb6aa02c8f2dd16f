import type { DealState } from '../life/draft.js';
import { fromMinorUnits, type Money } from '../money.js';
import type { Row } from '../records.js';
import { isFinal } from '../status.js';
import { type Balance, balanceOf, minorUnits, notBelowZero, sum } from './ledger.js';
import { isOpen } from './statuses.js';

type Stage = Row<'stage'>;

/** A deal has at most so many payments of employers, but for money that came by itself. */
export const mostPayments = 200;

/** What the work of a stage was to cost: a budget of zero or less costs nothing. */
export function fullPriceOf({ budget }: Pick<Stage, 'budget'>): Money {
  return notBelowZero(minorUnits(budget));
}

/** What it costs: a dispute may have left less of it. */
export function priceOf({ agreed_amount, budget }: Stage): Money {
  return fullPriceOf({ budget: agreed_amount ?? budget });
}

/** Says whether its work was accepted. */
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

/** A fee of the deal for a stage that costs something, in proportion; what is left goes with the last. */
export function feeFor(state: DealState, fee: 'employer_fee' | 'contractor_fee') {
  const whole = sum(remainingStages(state), priceOf);
  return (price: bigint) => (whole > 0n ? (minorUnits(state.deal[fee]) * price) / whole : 0n);
}

/** What the employer owes for the stages whose work was accepted, with its part of the fee. */
function owedForWork(state: DealState): Money {
  const isOpen = (stage: Stage) => !isAccepted(stage) && priceOf(stage) > 0n;
  if (!remainingStages(state).some(isOpen)) return owedInAll(state);
  const feeOf = feeFor(state, 'employer_fee');
  return sum(state.stage.filter(isAccepted), (each) => priceOf(each) + feeOf(priceOf(each)));
}

/** What the employer owes for the whole deal. */
export function owedInAll(state: Pick<DealState, 'deal' | 'stage'>): Money {
  const stages = remainingStages(state);
  const fee = stages.some((each) => priceOf(each) > 0n) ? minorUnits(state.deal.employer_fee) : 0n;
  return fromMinorUnits(sum(stages, priceOf) + fee);
}

/** What is still to be paid for the whole deal; nothing once it has ended without its work. */
export function outstanding(state: Pick<DealState, 'deal' | 'stage'>, { net }: Balance): Money {
  const { status } = state.deal;
  const isOver = isFinal(status) && status !== 'completed';
  return isOver ? fromMinorUnits(0n) : notBelowZero(owedInAll(state) - net);
}

/** What the employer is to pay by now: before the work in `prepaid`, else after its approval. */
export function owedByNow(state: DealState): Money {
  const { mode, status } = state.deal;
  if (status === 'created') return fromMinorUnits(0n);
  return mode === 'prepaid' ? owedInAll(state) : owedForWork(state);
}

/** What is to be paid by now and was not asked for. */
export function dueNow(state: DealState, { net } = balanceOf(state.posting)): Money {
  const asked = sum(openRequests(state), ({ amount }) => minorUnits(amount));
  return notBelowZero(owedByNow(state) - net - asked);
}

/** What the employer was asked for, and may still pay. */
export function openRequests({ employer_payment }: DealState): readonly Row<'employer_payment'>[] {
  return employer_payment.filter(({ status }) => isOpen(status));
}
