import type { Lifecycle, Rule } from '../domain/life/rules.js';
import { following, statusByStages } from '../domain/payments/follow.js';
import type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
} from '../domain/values/payment-status.js';
import { initialStatuses, isFinal, type StageStatus } from '../domain/values/status.js';

/** A step from one state to another. */
export interface Move<S extends string = string> {
  readonly from: S;
  readonly to: S;
  /** The commands that can lead to it, and other causes in words. */
  readonly by: readonly string[];
}

/** The same step from each of these states. */
export const each = <S extends string>(
  states: readonly S[],
  to: S,
  ...by: readonly string[]
): readonly Move<S>[] => states.map((from) => ({ from, to, by }));

const theEnd = 'the deal ends';
const open = ['pending', 'submitted', 'changes_requested', 'approved'] as const;

/** Of a stage that costs nothing, or whose fee leaves nothing to pay. */
export const nothingToPay = 'nothing to pay';

/** The moves of stages by an amendment: it may cancel them, and what it changes is delivered again. */
const amendmentMoves: readonly Move<StageStatus>[] = [
  ...each(['submitted'], 'pending', 'accept-proposal'),
  ...each(['pending', 'submitted', 'changes_requested'], 'cancelled', 'accept-proposal'),
];

/**
 * The moves of stages that no row states: by a resolution, new terms, a payout and the end of a deal.
 */
export const stageMoves: readonly Move<StageStatus>[] = [
  ...each(open, 'approved', 'resolve', 'accept-proposal'),
  ...each(['approved'], 'paid', 'record-contractor-payment', nothingToPay),
  ...each(open, 'cancelled', 'resolve', 'accept-proposal', theEnd),
  ...amendmentMoves,
];

/** The moves of employers' payments without a report, and those by the sums of a paid one. */
export const employerMoves: readonly Move<EmployerPaymentStatus>[] = [
  ...each(
    ['requested', 'processing'],
    'expired',
    'expire-payment',
    'resolve',
    'accept-proposal',
    theEnd,
  ),
  ...each(['partially_refunded'], 'refunded', 'record-employer-payment'),
  ...each(['partially_refunded', 'refunded'], 'charged_back', 'record-employer-payment'),
  ...each(['refunded'], 'partially_refunded', 'record-employer-payment'),
  // a failed refund, or a charge-back that was won
  ...each(['refunded', 'partially_refunded', 'charged_back'], 'paid', 'record-employer-payment'),
  ...each(['charged_back'], 'partially_refunded', 'record-employer-payment'),
  ...each(['charged_back'], 'refunded', 'record-employer-payment'),
  // its money never came
  ...each(['paid', 'refunded', 'charged_back'], 'failed', 'record-employer-payment'),
];

const waiting = ['scheduled', 'failed', 'returned'] as const;

/** The moves of payouts without a report, and those of a paid payout by one. */
export const contractorMoves: readonly Move<ContractorPaymentStatus>[] = [
  ...each(['paid'], 'returned', 'record-contractor-payment'),
  // another attempt may be under way when the one that was paid comes back
  ...each(['paid'], 'processing', 'record-contractor-payment'),
  ...each(['scheduled'], 'processing', 'runEffects'),
  ...each(['failed', 'returned'], 'scheduled', 'retry-payout'),
  ...each(waiting, 'cancelled', 'dispute', 'accept-proposal', theEnd, 'too little is held'),
];

/** The moves of stages by a row without stages of its own. */
export function ownStageMoves({ command, about = [] }: Rule): readonly Move<StageStatus>[] {
  const isAccepted = command === 'accept-proposal';
  if (isAccepted && about.includes('amendment')) return amendmentMoves;
  // a settlement is a resolution by consent
  const name = isAccepted ? 'resolve' : command;
  return stageMoves.filter(({ by }) => by.includes(name));
}

/** A step of a deal, and the row that leads to it; the state may stay the same. */
export interface DealMove extends Move {
  readonly rule: Rule;
}

/** Says whether a row keeps the state of the deal without naming it. */
export const isStay = ({ from, to, rule }: DealMove): boolean =>
  from === to && rule.to === undefined;

/** The facts from which the state of a deal follows. */
interface Sketch {
  readonly status: string;
  readonly stages: readonly StageStatus[];
}

const free: Rule = { command: nothingToPay, by: [], from: following };

/**
 * The moves of the rows of a table between states of a deal. All rows are tried, without their
 * guards, on a deal of one stage and on one of two: a deal of more stages reaches no other states.
 */
export function dealMoves(lifecycle: Lifecycle): readonly DealMove[] {
  const sketches = [1, 2].map(
    (count): Sketch => ({ status: initialStatuses.status, stages: Array(count).fill('pending') }),
  );
  const known = new Set(sketches.map((sketch) => JSON.stringify(sketch)));
  const moves: DealMove[] = [];
  // the list grows during the loop
  for (const sketch of sketches) {
    for (const rule of [...lifecycle, free]) {
      for (const next of followers(lifecycle, rule, sketch)) {
        moves.push({ from: sketch.status, to: next.status, by: [rule.command], rule });
        const key = JSON.stringify(next);
        if (!known.has(key)) sketches.push(next);
        known.add(key);
      }
    }
  }
  return moves;
}

/** The deals that a row can lead to. */
function followers(
  lifecycle: Lifecycle,
  rule: Rule,
  { status, stages }: Sketch,
): readonly Sketch[] {
  if (!rule.from.includes(status)) return [];
  const first = lifecycle.find(
    ({ command, from }) => command === rule.countsAs && from.includes(status),
  );
  const to = rule.to ?? first?.to ?? status;
  return stagesAfter(rule, stages).map((after) => {
    if (isFinal(to)) return { status: to, stages: after.map(ended) };
    const followed = following.some((each) => each === to)
      ? statusByStages({ stage: after.map((each) => ({ status: each })) })
      : to;
    return { status: followed, stages: isFinal(followed) ? after.map(ended) : after };
  });
}

const ended = (status: StageStatus): StageStatus => (status === 'paid' ? 'paid' : 'cancelled');

/** The most stages of a sketch. */
const mostStages = 2;

/** The possible states of the stages after an amendment, which may add one. */
function stagesAmended(stages: readonly StageStatus[]): readonly (readonly StageStatus[])[] {
  const targets = (from: StageStatus) => [
    from,
    ...amendmentMoves.filter((move) => move.from === from).map(({ to }) => to),
  ];
  return everyChoice(stages.map(targets))
    .map((after) => after.filter((status) => status !== 'cancelled'))
    .flatMap((after): (readonly StageStatus[])[] =>
      after.length < mostStages ? [after, [...after, 'pending']] : [after],
    )
    .filter(({ length }) => length > 0);
}

/** Every list with one of the choices in each place. */
function everyChoice<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (all, those) => all.flatMap((before) => those.map((one) => [...before, one])),
    [[]],
  );
}

/**
 * The possible states of the stages after a row: one of them moves or all do; an effect moves each.
 */
function stagesAfter(
  rule: Rule,
  stages: readonly StageStatus[],
): readonly (readonly StageStatus[])[] {
  const { command, stage, about } = rule;
  if (command === 'accept-proposal' && about?.includes('amendment')) return stagesAmended(stages);
  if (stage !== undefined) {
    const indexes = stages.flatMap((status, at) => (stage.from.includes(status) ? [at] : []));
    const choices = indexes.length > 1 ? [indexes, ...indexes.map((at) => [at])] : [indexes];
    return choices
      .filter(({ length }) => length > 0)
      .map((moved) => stages.map((status, at) => (moved.includes(at) ? stage.to : status)));
  }
  const moves = ownStageMoves(rule);
  return everyChoice(
    stages.map((status) => {
      const own = moves.filter(({ from }) => from === status);
      return own.length === 0 ? [status] : own.map(({ to }) => to);
    }),
  );
}
