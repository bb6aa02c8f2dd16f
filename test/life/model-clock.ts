import { type Answer, give } from './model.js';
import { isAboutProposals } from './model-proposals.js';
import type { Wish } from './model-rules.js';
import { dues, type Model } from './model-state.js';

/** What comes first of what is due at one moment: a notice before its end. */
const order = [
  ...['tell-expiry', 'expire', 'tell-review-end', 'approve'],
  ...['expire-proposal', 'tell-overdue', 'expire-payment'],
];

/** What the clock does by this time, command by command, in the order of their times. */
export function* ticks(model: Model, now: number): Generator<Answer, void> {
  for (;;) {
    const [first] = dues(model)
      .filter(([at]) => at <= now)
      .sort(([a, one], [b, other]) => a - b || order.indexOf(one) - order.indexOf(other));
    if (first === undefined) return;
    yield give(model, { name: first[1], actor: 'clock' }, now);
  }
}

/** The same as steps with a write each. */
export const inTime = (now: number) =>
  function* steps(model: Model): Generator<void> {
    for (const _ of ticks(model, now)) yield;
  };

/** 10.15: the deal as a command finds it, after what is due; a refusal leaves the model as it is. */
export function inTimeFor(model: Model, wish: Wish, now: number): Model {
  // the clock proposes nothing: it is refused as anybody is
  const isOwn = wish.actor === 'clock' && !isAboutProposals(wish);
  if (isOwn || !dues(model).some(([at]) => at <= now)) return model;
  const after = structuredClone(model);
  tickAll(after, now);
  return after;
}

const tickAll = (model: Model, now: number): readonly string[] =>
  [...ticks(model, now)].flatMap((each) => (each.kind === 'done' ? each.events : []));

/** Nobody knows the name of a payment that the clock makes in the same write. */
function asKnown({ incoming, payouts }: Model, wish: Wish): Wish {
  const { name, report, payout = -1 } = wish;
  const { length } = name === 'record-employer-payment' ? incoming : payouts;
  const isUnknown = (report?.payment ?? -1) >= length;
  return {
    ...wish,
    ...(report !== undefined && isUnknown && { report: { ...report, payment: 1_000 } }),
    ...(payout >= payouts.length && { payout: 1_000 }),
  };
}

/** 10.15: gives a command as if a timer had run first. */
export function giveInTime(model: Model, wanted: Wish, now: number): Answer {
  const trial = inTimeFor(model, wanted, now);
  if (trial === model) return give(model, wanted, now);
  const wish = asKnown(model, wanted);
  const judged = give(trial, wish, now);
  if (judged.kind === 'illegal' || judged.kind === 'refused') return judged;
  const events = tickAll(model, now);
  const answer = give(model, wish, now);
  return { kind: 'done', events: answer.kind === 'done' ? [...events, ...answer.events] : events };
}
