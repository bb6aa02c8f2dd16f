import { fromMinorUnits, interfaceProfile, type MarketplaceOptions } from 'dealwright';
import type { DealState } from 'dealwright/life';
import type { Asked, Bank, Message } from './bank.js';
import { policyOf } from './code.js';
import { cents, isSent, totalOf } from './invariants.js';
import { refundOf, rightHash } from './kept-rows.js';
import { giveInTime, inTime } from './model-clock.js';
import type { Report } from './model-money.js';
import type { Wish } from './model-rules.js';
import { figures, isFinal, type Model, nextDue, outstanding, tooMuch } from './model-state.js';
import { attentionOf } from './run.js';
import { money, type Shape } from './states.js';

/** Steps with a write each, one after the other: a crash may come between any two. */
export type Script = (model: Model) => Generator<void>;

/** The report of the bank, for the model. */
export function toldOf(
  state: DealState,
  { kind, payment_id, status, reference, amount, saysAmount }: Message,
): Report {
  const place = placeOf(state, kind, payment_id);
  // a refund without an amount has the requested amount
  const isSaid = saysAmount || /refund/.test(status);
  const sent = state.intent.filter((each) => each.payment_id === payment_id);
  const attempt = kind === 'contractor' ? sent.findIndex(({ id }) => id === reference) : -1;
  const said = { reference, status, ...(isSaid && amount > 0n && { amount }) };
  const { fails, usual } = refundOf(state, payment_id, said);
  return {
    ...{ fails, ...(/refund/.test(status) && usual > 0n && { amount: usual }) },
    ...said,
    ...(attempt >= 0 && { attempt }),
    ...(place !== undefined && { payment: place }),
  };
}

/** The report of an operator that this `paid` was wrong. */
export function voidingOf(state: DealState, { reference }: Pick<Message, 'reference'>) {
  const of = { status: 'voided', reference };
  const told = state.payment_report.find(
    (each) => each.status === 'paid' && each.reference === reference,
  );
  const payment = state.employer_payment.findIndex(({ id }) => id === told?.payment_id);
  return { report: { ...of, payment }, input: { ...of, payment_id: told?.payment_id } };
}

function placeOf(state: DealState, kind: Message['kind'], id: string | undefined) {
  if (id === undefined) return undefined;
  const place = state[`${kind}_payment`].findIndex((each) => each.id === id);
  return place < 0 ? 1_000 : place;
}

/** Money of an ended deal is on its way, or an operator gets a warning. */
export function heldForNothing(model: Model, state: DealState): string | undefined {
  const { held } = figures(model);
  if (!isFinal(model) || held === 0n) return undefined;
  const waiting = totalOf(
    state.intent.filter(({ kind, status }) => kind === 'refund' && status === 'pending'),
    ({ remaining }) => remaining,
  );
  const reserved = totalOf(
    state.contractor_payment.filter(({ status }) => /scheduled|processing/.test(status)),
    ({ amount }) => amount,
  );
  // 10.12: what is too much waits for the operator, with its alert
  const isKnown = state.deal.alert !== null || tooMuch(model) <= (model.shape.tolerance ?? 0n);
  if (waiting + reserved < held && attentionOf(state).length === 0 && !isKnown) {
    const isFee = state.contractor_payment.some(({ status }) => status === 'processing');
    if (!isFee) return `${money(held)} is held, and nobody is told to look`;
  }
  return undefined;
}

/** What is still to be done for a deal that should be at rest. */
export function restless(state: DealState, model: Model): readonly unknown[] {
  const { intent, contractor_payment, employer_payment } = state;
  return [
    ...intent.filter(({ status }) => status === 'pending'),
    ...contractor_payment.filter(({ status }) => status !== 'paid' && status !== 'cancelled'),
    ...employer_payment.filter(({ status }) => /requested|processing/.test(status)),
    ...attentionOf(state),
    ...(nextDue(model) === null ? [] : ['the clock']),
  ];
}

/** What an operator does for a deal that needs one. */
export function remedies(state: DealState, model: Model): readonly string[] {
  if (model.status === 'disputed') return [];
  const attention = attentionOf(state);
  const isAsked = model.incoming.some(({ status }) => /requested|processing/.test(status));
  const isBack = attention.includes('payout_returned') && outstanding(model) > 0n;
  const isDue = model.status === 'completed' && isBack && !isAsked;
  return [
    ...(tooMuch(model) > 0n ? ['refund-surplus'] : []),
    ...(model.payouts.some(({ status }) => /failed|returned/.test(status)) ? ['retry-payout'] : []),
    ...(isDue ? ['request-payment'] : []),
    ...(attention.includes('refund_failed') ? ['retry-refund'] : []),
  ];
}

/** What is done, and the bank was never asked for. */
export function neverAsked({ intent }: DealState, bank: Bank): string | undefined {
  for (const { id, kind, status, attempts } of intent) {
    if (status !== 'done' || kind === 'request_payment' || attempts > 0) continue;
    if (!bank.wasAsked(id)) return `${kind} ${id} is done, and the bank was never asked for it`;
  }
  return undefined;
}

/** Compares the bank's account with the books, after all reports. */
export function audit(model: Model, bank: Bank): string | undefined {
  const { paid, released, refunded, chargedBack } = figures(model);
  const books = [paid, released, refunded, chargedBack].map(money).join(', ');
  const moved = [bank.in, bank.out, bank.back, bank.charged].map(money).join(', ');
  if (books === moved) return undefined;
  return `in, out, back, charged back: the bank has moved ${moved}, the books say ${books}`;
}

/** The input of a command. */
export function inputOf(state: DealState, wish: Wish): object {
  const { name, stage, agreed, payout, bonus, hash } = wish;
  const { contractor_payment } = state;
  return {
    ...(name === 'add-bonus' && { amount: money(bonus ?? 1n) }),
    ...(name === 'write-off' && { amount: money(wish.amount ?? 1n) }),
    ...(hash !== undefined && {
      terms_sha256: hash === 'right' ? rightHash(state) : '0'.repeat(64),
    }),
    ...(stage !== undefined && { stage_id: stage }),
    ...(/^(dispute|cancel|request-changes|write-off)$/.test(name) && { reason: 'because' }),
    ...(name === 'resolve' && { agreed_amount: money(agreed ?? 0n) }),
    ...(payout !== undefined && { payment_id: contractor_payment[payout]?.id ?? 'unknown' }),
  };
}

/** The steps of the model for these calls of the bank. */
export function asking(
  log: readonly Asked[],
  now: number,
  askedFor: Iterable<string>,
  doubts: Set<string>,
  before: DealState,
  stateNow: () => DealState,
  fail: (why: string) => never,
): Script {
  const steps = log.map(({ effect, answered = [], outcome }) => ({
    effect,
    outcome,
    reports: answered.map((each) => [`record-${each.kind}-payment`, each] as const),
  }));
  const asked = new Set(askedFor);
  return function* ask(model) {
    const inDoubt = new Set(doubts);
    for (const { effect, reports, outcome } of steps) {
      // a report before it may have made something due at once
      yield* inTime(now)(model);
      // 10.1: a `none` speaks of one call
      const isNothing = outcome === 'none' && !inDoubt.has(effect.id);
      if (outcome === 'unknown') inDoubt.add(effect.id);
      else if (outcome === undefined) inDoubt.delete(effect.id);
      if (effect.kind === 'pay_out') {
        const payout = model.payouts[placeOf(stateNow(), 'contractor', effect.payment_id) ?? 0];
        if (!/scheduled|processing/.test(payout?.status ?? '')) {
          fail(`a payout is made that is ${payout?.status}`);
        }
        if (payout !== undefined) payout.status = 'processing';
        yield;
        if (payout !== undefined && isNothing) payout.status = 'scheduled';
      } else if (effect.kind === 'refund' && !asked.has(effect.id)) {
        asked.add(effect.id);
        const payment = model.incoming[placeOf(stateNow(), 'employer', effect.payment_id) ?? 0];
        if (payment !== undefined) payment.askedBack += cents(effect.amount);
        if (payment !== undefined && isNothing) {
          yield;
          payment.askedBack -= cents(effect.amount);
          asked.delete(effect.id);
        }
      }
      if (outcome !== undefined) yield;
      for (const [name, message] of reports) {
        const told = toldOf(stateNow(), message);
        // it was judged with the refunds that were to come then
        const isKnown = before.intent.some(({ id }) => id === effect.id);
        const { fails } = refundOf(before, effect.payment_id, { ...message });
        const report = {
          ...{ ...told, effect: effect.id },
          fails: isKnown ? fails : message.amount,
        };
        const answer = giveInTime(model, { name, actor: 'payments', report }, now);
        yield;
        // a refused payment is requested again
        if (answer.kind === 'refused') break;
      }
    }
  };
}

/** The money of a payment on its way back: refunds that the bank was asked for. */
export function askedBackOf({ intent }: DealState, id: string): bigint {
  const asked = intent.filter(
    (each) =>
      each.kind === 'refund' && each.status === 'pending' && isSent(each) && each.payment_id === id,
  );
  return totalOf(asked, ({ remaining }) => remaining);
}

/** 10.1: notes which effects may have happened, as far as these calls say. */
export function doubt(doubts: Set<string>, log: readonly Asked[]): void {
  for (const { effect, outcome } of log) {
    if (outcome === 'unknown') doubts.add(effect.id);
    else if (outcome === undefined) doubts.delete(effect.id);
  }
}

/** 10.1: what is in doubt, and is not asked for again by itself. */
export const stopped = ({ intent }: DealState) =>
  intent.filter(
    (each) =>
      each.status === 'pending' && isSent(each) && each.outcome !== 'taken' && each.due_at === null,
  );

/** The options of the marketplace of a deal. */
export function optionsOf(shape: Shape): MarketplaceOptions {
  const { budgets, mode, version, expires, tolerance = 0n, wholeUnits = false } = shape;
  return {
    mode,
    tolerance: money(tolerance),
    expireV1Deals: version === '1.0' && expires,
    feePolicy: policyOf(shape),
    profile: (...given) => ({ ...interfaceProfile(...given), wholeUnits }),
    stagePlanner: ({ work_days }) =>
      budgets.map((budget, at) => ({
        name: `Stage ${at + 1}`,
        budget: fromMinorUnits(budget),
        work_days,
      })),
  };
}
