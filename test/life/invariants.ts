import { parseSum } from 'dealwright';
import { balanceOf, type Changes, type DealState } from 'dealwright/life';
import { token } from './states.js';

export const cents = (text: string): bigint => parseSum(text) ?? 0n;
export const totalOf = <T>(all: readonly T[], of: (each: T) => string): bigint =>
  all.reduce((total, each) => total + cents(of(each)), 0n);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const finals = ['completed', 'cancelled', 'expired'];

/** 10.13: of a deal that was given whole units alone, all money is whole. */
export function checkUnits(state: DealState, unit: bigint): string | undefined {
  const text = JSON.stringify(Object.values(state).flat());
  const finer = [...text.matchAll(/"(\w+)":"(-?\d+\.\d\d)"/g)].find(
    ([, , amount = '']) => cents(amount) % unit !== 0n,
  );
  return finer && `${finer[1]} is ${finer[2]}, which its currency has no unit for`;
}

/** The invariants of every deal at any moment; returns the first that is broken. */
export function checkState(after: DealState, tolerance = 0n): string | undefined {
  const { posting, intent, contractor_payment } = after;
  if (posting.some(({ amount }) => cents(amount) <= 0n)) return 'a posting of nothing or less';
  const accounts = new Map<string, bigint>();
  for (const { from_account, to_account, amount } of posting) {
    accounts.set(from_account, (accounts.get(from_account) ?? 0n) - cents(amount));
    accounts.set(to_account, (accounts.get(to_account) ?? 0n) + cents(amount));
  }
  const held = accounts.get('held') ?? 0n;
  if ([...accounts.values()].reduce((sum, each) => sum + each, 0n) !== 0n) return 'not zero';
  if (held < 0n) return 'less than nothing is held';
  const sums = balanceOf(posting);
  if (
    sums.held !== held ||
    sums.paid + sums.loss !== held + sums.released + sums.refunded + sums.fees + sums.charged_back
  ) {
    return 'the billing does not add up';
  }
  if (sums.loss < 0n) return 'a loss below zero';
  // fees that late payouts have taken are not available for others
  const left = cents(after.deal.employer_fee) + cents(after.deal.contractor_fee) - sums.fees;
  const reserve = (statuses: readonly string[]) => {
    const those = contractor_payment.filter(({ status }) => statuses.includes(status));
    // the fee of a payout that came back was posted
    const unpaid = those.filter(
      ({ id }) => !posting.some(({ kind, payment_id }) => kind === 'payout' && payment_id === id),
    );
    const fees = unpaid.map((each) =>
      least(left, cents(each.employer_fee) + cents(each.contractor_fee)),
    );
    return fees.reduce(
      (total, each) => total + each,
      totalOf(those, ({ amount }) => amount),
    );
  };
  const open = ['scheduled', 'processing', 'failed', 'returned'];
  if (reserve(open) > held) return 'payouts are promised more than is held';
  const isEnded = finals.includes(after.deal.status);
  const refunds = intent.filter(({ kind, status }) => kind === 'refund' && status === 'pending');
  // a completed deal may still request the missing money of a payout that came back
  const missing = after.deal.status === 'completed' ? missingOf(after) : 0n;
  const rest = held - reserve(open) - missing;
  const surplus = isEnded && rest > 0n ? rest : 0n;
  const asked = totalOf(refunds, ({ remaining }) => remaining);
  const hasFailed = after.payment_report.some(({ status }) => status === 'refund_failed');
  // a refund that failed waits for a retry by an operator
  // money that may be on its way is waited for, even if a charge-back was faster
  const sent = totalOf(refunds.filter(isSent), ({ remaining }) => remaining);
  const all = hasFailed && !isEnded ? held - reserve(open) : surplus;
  const wanted = sent > all ? sent : all;
  // 10.12: what may have come twice waits
  const unsure =
    totalOf(posting.filter(isDoubt), ({ amount }) => amount) -
    totalOf(posting.filter(isDecision), ({ amount }) => amount);
  if (!isEnded) {
    // 9.7 and 10.12: what is too much goes back, and payouts leave it alone
    if (asked > held - reserve(open) && asked > sent) return 'more is refunded than is held';
  } else if (asked > wanted || (!hasFailed && asked < wanted - unsure)) {
    return `refunds of ${asked} cents are pending, and ${surplus} are left over`;
  }
  for (const each of intent.filter(({ status }) => status === 'pending')) {
    const { payment_id, kind } = each;
    // 10.1: what may have been requested is asked for again
    if (kind === 'request_payment' && isSent(each)) continue;
    const payment = [...after.employer_payment, ...contractor_payment].find(
      ({ id }) => id === payment_id,
    );
    const wanted: readonly string[] = {
      request_payment: ['requested', 'processing'],
      // 10.3: an attempt that was sent may arrive though another one has
      pay_out: ['scheduled', 'processing', ...(isSent(each) ? ['paid'] : [])],
      // a requested refund may be on its way, though all of the money went back otherwise, or never came
      refund: [
        'paid',
        'partially_refunded',
        'charged_back',
        ...(isSent(each) ? ['refunded', 'failed'] : []),
      ],
      // no address of these runs has a tag
      accept: [],
      decline: [],
    }[kind];
    if (payment === undefined || !wanted.includes(payment.status)) return `an old ${kind} is left`;
  }
  const failed = totalOf(
    intent.filter(({ kind, status }) => kind === 'refund' && status === 'failed'),
    ({ remaining }) => remaining,
  );
  return wrongAlert(after, surplus - asked - failed > tolerance);
}

/** 10.1: whether the gateway may have done it, as far as the deal knows. */
export const isSent = ({ outcome }: Pick<DealState['intent'][number], 'outcome'>): boolean =>
  outcome !== null && outcome !== 'none';

const isDoubt = ({ kind }: DealState['posting'][number]) => kind === 'doubt';
const isDecision = ({ kind }: DealState['posting'][number]) => kind === 'decision';

/** The operator is called if there is a reason, and for no other. */
function wrongAlert(state: DealState, isTooMuch: boolean): string | undefined {
  const { deal, employer_payment, contractor_payment, intent } = state;
  const { status, attention, alert, alert_at } = deal;
  if ((alert === null) !== (alert_at === null)) return 'an alert and its time come together';
  if ((status === 'disputed' || attention !== null || isTooMuch) && alert === null)
    return 'nobody is called';
  const isPaid = [...employer_payment, ...contractor_payment].every(({ status }) =>
    ['paid', 'cancelled', 'expired', 'refunded', 'partially_refunded'].includes(status),
  );
  const isOver = finals.includes(status) && intent.every((each) => each.status !== 'pending');
  return isOver && isPaid && attention === null && !isTooMuch && alert !== null
    ? `there is nothing to do, but ${alert}`
    : undefined;
}

/** The amounts of returned payouts of paid stages without another payout under way. */
function missingOf({ stage, contractor_payment, posting }: DealState): bigint {
  return stage.reduce((sum, { id, status }) => {
    const those = contractor_payment.filter(({ stage_id }) => stage_id === id);
    const back = those
      .filter((each) =>
        posting.some(({ kind, payment_id }) => kind === 'return' && payment_id === each.id),
      )
      .at(-1);
    const isOver = those.every((each) => each.status === 'cancelled');
    return sum + (status === 'paid' && isOver && back !== undefined ? cents(back.amount) : 0n);
  }, 0n);
}

/** The invariants of every step of every deal; returns the first that is broken. */
export function checkStep(
  before: DealState,
  after: DealState,
  { insert, change, events }: Changes,
  tolerance?: bigint,
): string | undefined {
  const problem = checkState(after, tolerance);
  if (problem !== undefined) return problem;
  if (change.some(({ kind }) => kind === 'posting' || kind === 'payment_report')) {
    return 'what was written down is changed';
  }
  const was = before.deal;
  const is = after.deal;
  const hasMoved = is.status !== was.status || is.freelancer_status !== was.freelancer_status;
  if (hasMoved && finals.includes(was.status)) return 'a final state was left';
  // 9.4: whatever is done, only a stage that was created below zero is there
  const fallen = after.stage.find(
    ({ id, budget }) =>
      cents(budget) < 0n && before.stage.find((each) => each.id === id)?.budget !== budget,
  );
  if (fallen !== undefined) return `stage ${fallen.id} fell to ${fallen.budget}`;
  return checkEvents(before, after, { insert, change, events }, hasMoved);
}

/** No event without a change, and no change of a status without its event. */
function checkEvents(
  before: DealState,
  after: DealState,
  { insert, change, events }: Changes,
  hasMoved: boolean,
): string | undefined {
  if (events.length > 0 && insert.length + change.length === 0) return 'an event of nothing';
  if (JSON.stringify(events).includes(token)) return 'an event tells the payment token';
  const ofDeal = events.filter(({ type }) => type.startsWith('deal.'));
  if (hasMoved && ofDeal.length === 0) return 'the deal moved, and no event says so';
  for (const { data } of ofDeal) {
    if (data['partner_id'] !== after.deal.partner_id) return 'an event of another deal';
  }
  const last = ofDeal.at(-1)?.data;
  if (
    last !== undefined &&
    (last['status'] !== after.deal.status ||
      last['freelancer_status'] !== after.deal.freelancer_status)
  ) {
    return 'the last event of the deal says another status than it has';
  }
  for (const stage of after.stage) {
    const moved = before.stage.find(({ id }) => id === stage.id)?.status !== stage.status;
    const isTold = ofDeal.some(({ data }) => {
      const ids = data['stage_ids'];
      return Array.isArray(ids) && ids.includes(stage.id);
    });
    // the event of the deal itself covers the stages that will not be paid
    const isOfDeal = stage.status === 'cancelled' && ofDeal.length > 0;
    if (moved && !isTold && !isOfDeal) return `stage ${stage.id} moved, and no event says so`;
  }
  for (const kind of ['employer_payment', 'contractor_payment'] as const) {
    for (const { id, status } of after[kind]) {
      if (before[kind].find((each) => each.id === id)?.status === status) continue;
      const isTold = events.some(
        ({ type, data }) =>
          type.startsWith(`${kind}.`) &&
          data['payment_id'] === id &&
          data['payment_status'] === status,
      );
      if (!isTold) return `${kind} ${id} is ${status}, and no event says so`;
    }
  }
  return undefined;
}
