import type { CommandError } from 'dealwright';
import type { DealState } from 'dealwright/life';
import type { Result } from 'neverthrow';
import { type Asked, type Bank, type Message, reportOf } from './bank.js';
import type { Answer } from './model.js';
import { mayGive, type Wish } from './model-rules.js';
import { arrivals, figures, isFinal, isPaidTwice, type Model } from './model-state.js';
import { allowsRepeat, isExpected, legalUnlike, show } from './run.js';
import { money } from './states.js';
import { type Tally, wrongTally } from './tally.js';
import { audit, restless } from './world-words.js';

/** Why a deal, its model and its bank are not at rest together at the end, or do not agree. */
export function verdictOf(
  model: Model,
  state: DealState,
  bank: Bank,
  told: Tally,
): string | undefined {
  const { held } = figures(model);
  if (!isFinal(model)) return `the deal stays ${model.status}`;
  if (held !== 0n) return `${money(held)} is held for ever`;
  const left = restless(state, model);
  if (left.length > 0) return `it is not at rest: ${JSON.stringify(left)}`;
  return audit(model, bank) ?? wrongTally(told, state);
}

/** 10.3: the payouts that are asked back because they went out twice, one of each stage. */
export function doublesOf(
  model: Model,
  { contractor_payment }: DealState,
): readonly (string | undefined)[] {
  const { stages, payouts } = model;
  const twice = stages.filter((each) => isPaidTwice(model, each));
  return twice.map((stage) => {
    const there = payouts.map((each) => each.stage === stage && arrivals(each) > 0);
    return contractor_payment[there.lastIndexOf(true)]?.id;
  });
}

/** The recorded report of a message, if there is one. */
export const recordOf = (
  { payment_report }: DealState,
  { payment_id, reference, status }: Message,
) =>
  payment_report.find(
    (each) =>
      each.reference === reference &&
      each.status === status &&
      (payment_id === undefined || each.payment_id === payment_id),
  );

/** 10.4: a report in another currency is refused, unless it is known already. */
export function isMismatch(answer: Result<object, CommandError>): boolean {
  if (answer.isOk()) return true;
  const { error } = answer;
  return 'errors' in error && error.errors[0]?.code === 'currency_mismatch';
}

/** A call of the bank, for readers. */
export function lineOf({ effect, answered }: Asked): string {
  const { id, kind, amount, payment_id } = effect;
  const said = answered ? show(answered.map(reportOf)) : 'fails';
  return `  ${kind} ${amount} of ${payment_id} by ${id}: ${said}`;
}

/** Why an answer is another one than the model gives. */
export function unlikeAnswer(
  model: Model,
  wish: Wish,
  expected: Answer,
  answer: Result<object, CommandError>,
  found: () => Model,
): string | undefined {
  if (answer.isOk()) {
    const isRefused = expected.kind === 'illegal' || expected.kind === 'refused';
    return isRefused && !allowsRepeat(expected)
      ? `expected ${show(expected)}, and it was done`
      : undefined;
  }
  const { error } = answer;
  const isElsewhere = error.code === 'not_found' && !mayGive(model, wish);
  if (!isElsewhere && !isExpected(expected, error)) {
    return `expected ${show(expected)}, got ${show(error)}`;
  }
  return error.code === 'illegal_transition'
    ? legalUnlike(found(), wish.actor, error.legal)
    : undefined;
}
