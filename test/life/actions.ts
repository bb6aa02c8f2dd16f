import * as fc from 'fast-check';
import type { Wish } from './model-rules.js';
import {
  came,
  isAskable,
  isBroken,
  isFinal,
  isOpen,
  isWorking,
  least,
  type Model,
  most,
  openPrices,
  outstanding,
  refundedOf,
  tooMuch,
} from './model-state.js';
import { mostlyWhole } from './model-units.js';
import { anyProposal, likelyProposals } from './proposal-actions.js';
import { allActors, commands, type Run } from './run.js';
import { day, largest } from './states.js';

/** The random numbers of one step; they can be shrunk. */
export type Dice = readonly [what: number, a: number, b: number, c: number];

const number = fc.nat(100_000);
export const dice: fc.Arbitrary<Dice> = fc.tuple(number, number, number, number);

/** An action on a deal. */
export type Action =
  | { readonly wish: Wish }
  | { readonly upload: number }
  /** Time that passes, with the work of the clock or without. */
  | { readonly pass: number }
  | { readonly wait: number };

const pick = <T>(all: readonly T[], by: number): T => all[by % all.length] as T;

const times = [
  ...[1, 24, 3 * 24, 5 * 24, 6 * 24 + 23, 7 * 24, 8 * 24, 15 * 24, 27 * 24, 31 * 24],
].map((hours) => (hours * day) / 24);

const ofEmployer = [
  'paid',
  'processing',
  'failed',
  'expired',
  'refunded',
  'partially_refunded',
  'charged_back',
  'refund_failed',
  'charge_back_reversed',
  'voided',
] as const;
const ofContractor = ['processing', 'paid', 'failed', 'returned'] as const;

/** A report of a payment: in order or not, with the right amount or another, known or new. */
function report(model: Model, kind: 'employer' | 'contractor', [, a, b, c]: Dice): Wish {
  const payments = kind === 'employer' ? model.incoming : model.payouts;
  const statuses = kind === 'employer' ? ofEmployer : ofContractor;
  const index = a % (payments.length + 1);
  const payment = payments[index];
  const status = pick(statuses, b);
  const known = payment === undefined ? 0n : 'asked' in payment ? payment.asked : payment.amount;
  const asked = known > 0n ? known : 100n;
  const told = model.paids.filter((each) => each.payment === payment).map((each) => each.reference);
  const gone =
    status === 'voided'
      ? told
      : status === 'refund_failed' && payment !== undefined && 'refunds' in payment
        ? [...payment.refunds.keys()]
        : [];
  const amount = pick(
    [undefined, undefined, undefined, asked, asked / 2n, asked + 1n, asked * 2n, 1n],
    c,
  );
  return {
    name: `record-${kind}-payment`,
    actor: pick(['payments', 'operator', 'payments', 'payments'], c >> 3),
    report: {
      // without a payment, one in three names a payment that does not exist
      ...((payment !== undefined || c % 3 === 0) && { payment: index }),
      status,
      ...(amount !== undefined && amount > 0n && { amount }),
      reference: pick([...gone, 'r1', 'r2', 'r3', 'r4', `r${a}`, `intent ${a % 6}`], c >> 5),
    },
  };
}

/** Any command of any actor. */
function anything(model: Model, dice: Dice): Wish {
  const [, a, b, c] = dice;
  if (a % 6 === 0) return anyProposal(model, dice, allActors);
  const drawn = pick(commands, a >> 3);
  const name = drawn === 'retry-refund' && isWorking(model) ? 'retry-payout' : drawn;
  const actor = pick(allActors, b);
  if (name === 'record-employer-payment') return { ...report(model, 'employer', dice), actor };
  if (name === 'record-contractor-payment') return { ...report(model, 'contractor', dice), actor };
  return {
    name,
    actor,
    ...(c % 3 === 0 &&
      actor !== 'clock' && {
        stage: model.stages[(c >> 2) % (model.stages.length + 1)]?.id ?? 1_000_000_007,
      }),
    ...(name === 'resolve' && { agreed: agreement(model, c) }),
    ...(name === 'write-off' && { amount: lossOf(model, c) }),
    ...(name === 'add-bonus' && { bonus: pick([1n, 20n, largest], c) }),
    ...(/^(accept|deliver)$/.test(name) && hash(model, c)),
    ...(name === 'retry-payout' &&
      c % 2 === 0 && { payout: (c >> 1) % (model.payouts.length + 1) }),
  };
}

/** Nothing, a part, all, or more than there is. */
function agreement(model: Model, by: number): bigint {
  const all = openPrices(model);
  const before = model.agreed ?? all;
  return least(largest, pick([all, all / 2n, 0n, all / 3n, 1n, all + 1n, before, all * 2n], by));
}

/** A part of what is outstanding, all of it, or more. */
function lossOf(model: Model, by: number): bigint {
  const all = outstanding(model);
  return most(1n, pick([all, all / 2n, all / 3n, 1n, all + 1n], by));
}

/** The hash that a freelancer sends: most send the right one where they must. */
function hash({ versions }: Model, by: number): Pick<Wish, 'hash'> {
  if (by % 19 === 0) return { hash: 'wrong' };
  return versions.length > 1
    ? by % 17 === 0
      ? {}
      : { hash: 'right' }
    : by % 5 === 0
      ? { hash: 'right' }
      : {};
}

const tellOf = (payment: number, status: string, reference: string): Wish => ({
  name: 'record-employer-payment',
  actor: 'payments',
  report: { payment, status, reference },
});

/** The possible next actions, with their weights. */
function likely(model: Model, dice: Dice): readonly [number, Action][] {
  const [, a, b, c] = dice;
  const all: [number, Action][] = [];
  const may = (weight: number, wish: Wish) => all.push([weight, { wish }]);
  const actors = model.shape.version === '1.0' ? ['freelancer', 'partner'] : ['freelancer'];
  const forFreelancer = pick(actors, b);
  const someStage = a % 2 === 0 ? { stage: pick(model.stages, b).id } : {};
  const open = model.stages.filter(({ status }) => /pending|changes_requested/.test(status));
  if (model.status === 'created') {
    may(2, { name: 'invite', actor: pick(['partner', 'operator'], a) });
    may(6, { name: 'accept', actor: forFreelancer, ...hash(model, c) });
    may(0.3, { name: 'decline', actor: forFreelancer });
    may(0.3, { name: 'cancel', actor: 'partner' });
  }
  if (model.status === 'changes_requested') may(0.3, { name: 'decline', actor: forFreelancer });
  if (open.length > 0 && model.status !== 'disputed' && !isFinal(model)) {
    all.push([4, { upload: pick(open, a).id }]);
    may(6, {
      name: 'deliver',
      actor: pick(['partner', 'freelancer'], b),
      ...someStage,
      ...hash(model, c),
    });
  }
  if (/^(accepted|changes_requested)$/.test(model.status)) {
    may(0.5, { name: 'cancel', actor: 'partner' });
  }
  for (const [weight, wish] of likelyProposals(model, dice)) may(weight, wish);
  if (isWorking(model)) {
    if (model.stages.some(({ status }) => status === 'submitted')) {
      may(6, { name: 'approve', actor: 'partner', ...someStage });
      may(1.5, { name: 'request-changes', actor: 'partner', ...someStage });
    }
    may(1, { name: 'dispute', actor: pick(['partner', 'freelancer'], a) });
    if (!model.incoming.some(isOpen)) {
      may(1.5, { name: 'request-payment', actor: pick(['partner', 'operator'], a) });
    }
  }
  if (model.payouts.some(isBroken) && model.status !== 'disputed') {
    const which = a % 2 === 0 ? { payout: b % model.payouts.length } : {};
    may(4, { name: 'retry-payout', actor: 'operator', ...which });
  }
  // only the intents know of refunds while work goes on
  const isOver = isFinal(model);
  if (
    isOver &&
    model.incoming.some(({ reports }) => [...reports].some((each) => /^refund_f/.test(each)))
  ) {
    may(1, { name: 'retry-refund', actor: 'operator' });
  }
  if (model.status === 'completed') may(1, { name: 'request-payment', actor: 'partner' });
  if (model.status === 'disputed') {
    may(6, { name: 'resolve', actor: 'operator', agreed: agreement(model, c) });
  }
  if (outstanding(model) > 0n && isAskable(model)) {
    may(0.7, { name: 'write-off', actor: 'operator', amount: lossOf(model, c) });
  }
  if (tooMuch(model) > 0n) may(1.5, { name: 'refund-surplus', actor: 'operator' });
  for (const { payment, reference } of model.paids) {
    const wrong = { payment: model.incoming.indexOf(payment), status: 'voided', reference };
    may(0.15, { name: 'record-employer-payment', actor: 'operator', report: wrong });
  }
  if (!isFinal(model)) may(0.3, { name: 'cancel', actor: 'operator' });
  for (const [index, payment] of model.incoming.entries()) {
    const tell = (status: string) => tellOf(index, status, `m${a}`);
    if (isOpen(payment)) may(5, tell(pick(['paid', 'paid', 'paid', 'processing', 'failed'], b)));
    if (refundedOf(payment) + payment.chargedBack < came(payment)) {
      may(isFinal(model) ? 4 : 0.7, tell(pick(['refunded', 'charged_back'], b)));
    }
    for (const [reference, { gone, failed }] of payment.refunds) {
      if (gone > 0n && failed === 0n) may(0.7, tellOf(index, 'refund_failed', reference));
    }
  }
  for (const [index, { status, reference }] of model.payouts.entries()) {
    if (status === 'paid' && reference !== null) {
      may(1, {
        name: 'record-contractor-payment',
        actor: 'payments',
        report: { payment: index, status: pick(['failed', 'returned'], b), reference },
      });
    }
    if (!/scheduled|processing/.test(status)) continue;
    const next = pick(['paid', 'paid', 'processing', 'failed', 'returned'], b);
    may(5, {
      name: 'record-contractor-payment',
      actor: 'payments',
      report: { payment: index, status: next, reference: pick([`n${a}`, 'r1'], c) },
    });
  }
  all.push([1.5, { pass: pick(times, a) }], [1.5, { wait: pick(times, a) }]);
  may(2.5, report(model, 'employer', dice));
  may(model.payouts.length > 0 ? 2.5 : 0.5, report(model, 'contractor', dice));
  may(4, anything(model, dice));
  return all;
}

/** The action of these dice for a deal; without reports of payments if there is a bank. */
export function choose(model: Model, thrown: Dice, isReporting = true): Action | undefined {
  const all = likely(model, thrown).filter(
    ([, action]) => isReporting || !('wish' in action) || action.wish.report === undefined,
  );
  const total = all.reduce((sum, [weight]) => sum + weight, 0);
  let at = ((thrown[0] % 10_000) / 10_000) * total;
  for (const [weight, action] of all) {
    at -= weight;
    if (at < 0) {
      return 'wish' in action ? { wish: mostlyWhole(model, action.wish, thrown[3]) } : action;
    }
  }
  return undefined;
}

/** Does the action of these dice with this deal. */
export function act(run: Run, thrown: Dice): void {
  const action = choose(run.model, thrown);
  if (action !== undefined) {
    if ('wish' in action) run.step(action.wish);
    else if ('pass' in action) run.pass(action.pass);
    else if ('wait' in action) run.wait(action.wait);
    else run.upload(action.upload);
  }
  run.compareLegal(pick(allActors, thrown[1]));
}
