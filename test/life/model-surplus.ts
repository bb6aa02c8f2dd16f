import { refundMore } from './model-refunds.js';
import {
  available,
  due,
  type Incoming,
  isAskable,
  isFinal,
  isOpen,
  least,
  type Model,
  most,
  net,
  outstanding,
  owed,
  sum,
  tooMuch,
} from './model-state.js';

/** Money has come (10.11, 10.12). */
export function noteMoney(
  model: Model,
  payment: Incoming,
  netBefore: bigint,
  events: string[],
): void {
  const excess = most(0n, least(net(model) - netBefore, net(model) - owed(model)));
  const doubt = most(0n, least(excess, twice(model) - doubted(model)));
  payment.doubt += doubt;
  // once the deal has ended, the rest goes back by itself
  if ((isFinal(model) ? doubt : excess) > 0n) events.push('employer_payment.overpaid');
  if (!isAskable(model) && model.status !== 'disputed') return;
  const asked = sum(model.incoming, (each) => (isOpen(each) ? each.asked : 0n));
  const missing = due(model) - available(model) - model.writtenOff - asked;
  if (missing <= 0n || missing > (model.shape.tolerance ?? 0n) - model.tolerated) return;
  model.tolerated += missing;
  model.writtenOff += missing;
  events.push('deal.written_off');
}

const doubted = (model: Model): bigint => sum(model.incoming, ({ doubt }) => doubt);

/** All but one `paid` of each request, the smallest: it may be another name of a payment. */
function twice({ paids, incoming }: Model): bigint {
  return sum(incoming, (payment) => {
    const own = paids.filter((each) => each.payment === payment).map(({ amount }) => amount);
    const all = sum(own, (each) => each);
    return payment.asked > 0n && own.length > 0 ? all - own.reduce(least) : all;
  });
}

/** It is known that so much did not come twice, or went back. */
export function clear(model: Model, amount: bigint): void {
  let left = amount;
  for (const each of [...model.incoming].reverse()) {
    const part = least(left, each.doubt);
    each.doubt -= part;
    left -= part;
  }
}

/** `write-off`; returns the reason of a refusal. */
export function writeOff(model: Model, amount: bigint, events: string[]): string | undefined {
  if (outstanding(model) === 0n) return 'nothing_outstanding';
  if (amount > outstanding(model)) return 'amount_out_of_bounds';
  model.writtenOff += amount;
  events.push('deal.written_off');
  return undefined;
}

/** `refund-surplus`: all that is too much goes back; returns the reason of a refusal. */
export function sendBack(model: Model): string | undefined {
  const all = tooMuch(model);
  if (all === 0n) return 'no_surplus';
  clear(model, doubted(model));
  refundMore(model, all);
  return undefined;
}
