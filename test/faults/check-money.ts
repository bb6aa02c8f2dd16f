import { setTimeout as sleep } from 'node:timers/promises';
import { type Balance, balanceOf, type DealState } from 'dealwright/life';
import type { Tenant } from 'dealwright/ports';
import { cents, checkStep, totalOf } from '../life/invariants.js';
import type { PortsBelow } from './check-store.js';
import type { Journal } from './journal.js';
import { text } from './send.js';
import type { Effect } from './service.js';

/** Waits until the gateway has no more work, and complains if some stays. */
export async function drain(
  { due }: PortsBelow,
  tenants: readonly Tenant[],
  journal: Journal,
): Promise<void> {
  const always = '9999-12-31T23:59:59.999Z';
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    const left = await Promise.all(tenants.map((tenant) => due(tenant, 'intent', always, 5)));
    const open = left.flatMap((each) => each._unsafeUnwrap());
    if (open.length === 0) return;
    if (Date.now() < end) continue;
    journal.problems.push(`nobody executes ${text(open)}`);
    return;
  }
}

/** By kind of effect: the figure of a deal for all money moved in this way. */
const moved: Readonly<Record<Effect['kind'], (balance: Balance) => bigint>> = {
  request_payment: ({ paid }) => paid,
  pay_out: ({ released }) => released,
  refund: ({ refunded }) => refunded,
};

/**
 * Compares the money that the gateway has moved, each effect once, with the figures of a deal, once
 * nothing is under way any more; returns the problems.
 */
export function* moneyProblems(state: DealState, effects: readonly Effect[]): Generator<string> {
  const flaw = checkStep(state, state, { insert: [], change: [], events: [] });
  if (flaw !== undefined) yield `its money: ${flaw}`;
  const balance = balanceOf(state.posting);
  if (balance.released > balance.paid) yield 'has paid out more than came';
  const once = new Map<string, Effect>();
  const attempts = new Set<string>();
  for (const effect of effects) {
    const { id, kind, payment_id, attempt, amount } = effect;
    const before = once.get(id);
    // a bonus may have come between two requests for one effect, which counts them
    const { deal_amount, calls } = effect;
    if (before !== undefined && text({ ...before, deal_amount, calls }) !== text(effect)) {
      yield `two effects: ${text(effect)}`;
    }
    if (before === undefined) {
      const name = `${kind} ${payment_id} ${attempt}`;
      if (attempts.has(name)) yield `a second effect for one attempt: ${text(effect)}`;
      attempts.add(name);
      const intent = state.intent.find((each) => each.id === id);
      if (intent?.kind !== kind || intent.payment_id !== payment_id || intent.amount !== amount) {
        yield `nobody asked for ${text(effect)}`;
      }
    }
    once.set(id, effect);
  }
  // a deal that ended before the payment was reported asks no more; a provider reports it by itself
  const unreported = new Set(
    state.employer_payment.flatMap(({ id, status }) => (status === 'expired' ? [id] : [])),
  );
  for (const [kind, sumOf] of Object.entries(moved)) {
    const own = [...once.values()].filter(
      (each) => each.kind === kind && !unreported.has(each.payment_id),
    );
    const total = totalOf(own, ({ amount }) => amount);
    if (total !== sumOf(balance)) {
      yield `${kind}: the gateway has moved ${total} cents, and the deal says ${sumOf(balance)}`;
    }
  }
  for (const intent of state.intent) {
    if (intent.status === 'pending') yield `is left: ${text(intent)}`;
  }
  for (const payout of state.contractor_payment) {
    if (!['paid', 'cancelled'].includes(payout.status)) yield `is half-way: ${text(payout)}`;
  }
  for (const payment of state.employer_payment) {
    if (payment.status === 'requested') yield `is half-way: ${text(payment)}`;
  }
  const isWorth = state.stage.some(({ budget }) => cents(budget) > 0n);
  if (isWorth && state.deal.status === 'approved') yield 'is approved, and not paid';
}
