import {
  available,
  came,
  figures,
  type Incoming,
  isFinal,
  isLive,
  isOwed,
  least,
  type Model,
  most,
  owed,
  refundedOf,
  sum,
  takes,
} from './model-state.js';

/** Refunds while a prepaid deal goes on (9.7); the intents have how they are shared out. */
export const isHolding = (model: Model): boolean =>
  model.shape.mode === 'prepaid' && !isFinal(model);

const leftOf = (payment: Incoming): bigint =>
  most(0n, came(payment) - refundedOf(payment) - payment.chargedBack);

/** The money that payouts leave. */
const unpromised = (model: Model): bigint =>
  figures(model).held -
  sum(model.payouts, (each) =>
    isLive(each) ? takes(model, each) : isOwed(model, each) ? each.amount : 0n,
  );

/** This much more goes back to the employer, if it is held for nothing else. */
export function refundMore(model: Model, amount: bigint, payment?: Incoming): void {
  // the money of a failed refund waits for the operator
  const known = model.refunds.concat(model.failed);
  const open = (of: Incoming) =>
    most(0n, leftOf(of) - sum(known, (each) => (each.payment === of ? each.left : 0n)));
  let left = most(0n, least(amount, unpromised(model) - sum(known, (each) => each.left)));
  // the latest payment is the one in excess of the others
  for (const each of payment === undefined ? [...model.incoming].reverse() : [payment]) {
    const part = least(left, open(each));
    left -= part;
    if (part > 0n) model.refunds.push({ payment: each, left: part, name: '', isSent: false });
  }
}

/** An amendment has lowered what is owed: what is beyond it goes back. */
export function refundFall(model: Model): void {
  if (isHolding(model)) refundMore(model, available(model) - owed(model));
}

/**
 * 9.16 (m): what came beyond what was still wanted of a request goes back; while a deal is disputed,
 * nobody knows what is too much.
 */
export function refundLate(model: Model): void {
  if (!isHolding(model) || model.status === 'disputed') return;
  for (const each of model.incoming) {
    if (each.wanted === null) continue;
    const known = model.refunds.concat(model.failed).filter(({ payment }) => payment === each);
    const late = came(each) - refundedOf(each) - each.wanted - sum(known, ({ left }) => left);
    refundMore(model, least(late, available(model) - owed(model)), each);
  }
}

/** What new terms want more is taken from refunds that were not sent. */
export function lessenRefunds(model: Model, owedBefore: bigint): void {
  let short = least(owed(model) - owedBefore, owed(model) - available(model));
  for (const each of [...model.refunds].reverse().filter(({ isSent }) => !isSent)) {
    const part = most(0n, least(short, each.left));
    if (part === 0n) continue;
    short -= part;
    // what is left of it is asked for anew
    const rest = { ...each, left: each.left - part };
    each.left = 0n;
    if (rest.left > 0n) model.refunds.push(rest);
  }
}

/**
 * Refunds that their payment or the held money covers no longer are not made; of one that failed,
 * the part that is covered waits.
 */
export function coverRefunds(model: Model): void {
  let free = unpromised(model);
  const rest = new Map<Incoming, bigint>();
  const refunds = [...model.refunds].sort((a, b) => Number(b.isSent) - Number(a.isSent));
  for (const each of [...refunds, ...model.failed]) {
    const of = each.payment === null ? free : (rest.get(each.payment) ?? leftOf(each.payment));
    const covered = most(0n, least(free, of));
    if (model.failed.includes(each)) each.left = least(each.left, covered);
    else if (each.left > covered && !each.isSent) each.left = 0n;
    free -= each.left;
    if (each.payment !== null) rest.set(each.payment, of - each.left);
  }
}

/**
 * A report says that this much of a payment went back, or failed to: that is one refund less.
 * Returns how much of it was to come.
 */
export function endRefunds(model: Model, payment: Incoming, amount: bigint, name: string): bigint {
  let open = amount;
  const those = model.refunds.filter((each) => each.payment === payment);
  const rank = (each: (typeof those)[number]) =>
    Number(each.name !== name) * 2 - Number(each.isSent);
  for (const each of those.sort((a, b) => rank(a) - rank(b))) {
    const part = least(open, each.left);
    each.left -= part;
    open -= part;
  }
  return amount - open;
}
