import {
  available,
  came,
  type Incoming,
  isFinal,
  least,
  type Model,
  most,
  net,
  owed,
  type Refunding,
  refundedOf,
  sum,
  unpromised,
} from './model-state.js';

/** Refunds while a prepaid deal goes on (9.7); the intents have how they are shared out. */
export const isHolding = (model: Model): boolean =>
  model.shape.mode === 'prepaid' && !isFinal(model);

const leftOf = (payment: Incoming): bigint =>
  most(0n, came(payment) - refundedOf(payment) - payment.chargedBack);

/** This much more goes back to the employer, if it is held for nothing else. */
export function refundMore(model: Model, amount: bigint, payment?: Incoming): void {
  // the money of a failed refund waits for the operator
  const known = model.refunds.concat(model.failed);
  const open = (of: Incoming) =>
    most(0n, leftOf(of) - of.doubt - sum(known, (each) => (each.payment === of ? each.left : 0n)));
  let left = most(0n, least(amount, unpromised(model) - sum(known, (each) => each.left)));
  // the latest payment is the one in excess of the others
  for (const each of payment === undefined ? [...model.incoming].reverse() : [payment]) {
    const part = least(left, open(each));
    left -= part;
    if (part > 0n) model.refunds.push({ payment: each, left: part, name: '', isSent: false });
  }
}

/** What is beyond all that is owed, and has not come twice. */
const sure = (model: Model): bigint =>
  available(model) - owed(model) - sum(model.incoming, ({ doubt }) => doubt);

/** An amendment has lowered what is owed: what is beyond it goes back. */
export function refundFall(model: Model): void {
  if (isHolding(model)) refundMore(model, sure(model));
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
    refundMore(model, least(late, sure(model)), each);
  }
}

/** As the deal was before a step, for what it takes from refunds that were not sent. */
export interface Earlier {
  readonly owed: bigint;
  readonly net: bigint;
  readonly refunds: readonly { readonly of: Refunding; readonly left: bigint }[];
}
export const earlier = (model: Model): Earlier => ({
  ...{ owed: owed(model), net: net(model) },
  refunds: model.refunds.map((of) => ({ of, left: of.left })),
});

/** New terms want more, or money was taken back otherwise: refunds that were not sent give way. */
export function lessenRefunds(model: Model, before: Earlier): void {
  const covered = sum(before.refunds, ({ of, left }) => left - of.left);
  const lost = before.net - net(model) - covered;
  const missing = owed(model) - net(model) + sum(model.refunds, ({ left }) => left);
  let short = least(owed(model) - before.owed + lost, missing);
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
