import type { Attempt, Proposal, Version } from './model-words.js';
import { day, instant, inUnits, money, type Shape } from './states.js';

export type * from './model-words.js';

/** A stage of the model. */
export interface Stage {
  /** Zero until the code has named it. */
  id: number;
  name: string;
  budget: bigint;
  workDays: number | null;
  readonly isBonus: boolean;
  agreed: bigint | null;
  status: string;
  submittedAt: number | null;
  /** Whether it was told that its review ends soon. */
  isReviewTold: boolean;
  /** When its days began to count, and when it was last sent back or amended (9.13). */
  startedAt: number | null;
  touchedAt: number | null;
  /** The due date that passed and was told. */
  told: number | null;
}

/** A requested payment of the employer, with the money that came and went. */
export interface Incoming {
  /** Zero for a payment that was not requested. */
  readonly asked: bigint;
  readonly since: number;
  status: string;
  reference: string | null;
  /** The amounts of reports of `paid`. */
  told: bigint;
  /** What must have come, because as much was reported as gone back (10.5). */
  implied: bigint;
  /** What was told of as come. */
  known: bigint;
  /** By reference: the reported refunds, and the failed parts of them. */
  readonly refunds: Map<string, Refund>;
  chargedBack: bigint;
  /** What was reported of charge-backs and of won ones, by reference (10.6). */
  readonly disputes: Map<string, { readonly lost: bigint; readonly won: bigint }>;
  /** The sum of those reports of `paid` that were wrong, and what may have come twice (10.12). */
  voided: bigint;
  doubt: bigint;
  /** The refunds that a bank was asked for and has not reported: the intents have them. */
  askedBack: bigint;
  /** What was still wanted of it, where the terms changed while it was under way (9.16 m). */
  wanted: bigint | null;
  readonly reports: Set<string>;
}

/** The reports of a refund, in any order. */
export interface Refund {
  readonly gone: bigint;
  readonly failed: bigint;
}

/** The payout of the contractor for a stage. */
export interface Payout {
  readonly stage: Stage;
  readonly amount: bigint;
  /** The parts of both fees that are posted with it. */
  readonly employerFee: bigint;
  readonly contractorFee: bigint;
  status: string;
  retries: number;
  reference: string | null;
  readonly reports: Set<string>;
  /** The attempt in which a reference was first reported. */
  readonly heard: Map<string, number>;
  /** 10.3: what is known of each attempt. */
  readonly attempts: Map<number, Attempt>;
  /** Whether another attempt was paid while the last one was under way. */
  isLastUnderWay: boolean;
  isFeePosted: boolean;
}

/** How often the contractor has the money of a payout. */
export const arrivals = ({ attempts }: Payout): number =>
  [...attempts.values()].filter(({ isPaid, isBack }) => isPaid && !isBack).length;

/** Whether it came back after it was paid, and is to be paid again. */
export const isBackAgain = (payout: Payout): boolean =>
  arrivals(payout) === 0 && [...payout.attempts.values()].some(({ isPaid }) => isPaid);

/** A refund that is to come; of no payment as long as the intents have not said of which. */
export interface Refunding {
  readonly payment: Incoming | null;
  readonly name: string;
  readonly isSent: boolean;
  left: bigint;
}

/** A deal of the model: every figure is a sum, and none is derived from postings. */
export interface Model {
  readonly shape: Shape;
  title: string;
  description: string;
  amount: bigint;
  copyright: string | null;
  /** The days of a stage that has none: those of a deal of version 1.0, or 30. */
  workDays: number;
  /** The fees of the version (9.7). */
  employerFee: bigint;
  contractorFee: bigint;
  acceptedBy: string | null;
  /** All versions of the terms, the first one too. */
  readonly versions: Version[];
  /** All proposals, in the order of their creation; one at most is open. */
  readonly proposals: Proposal[];
  /** What goes back to the employer while the deal goes on (9.7), as the intents share it out. */
  refunds: Refunding[];
  /** Those that have failed: their money is held, and counts as paid. */
  failed: Refunding[];
  expiresAt: number | null;
  /** Whether it was told that the deal expires soon. */
  isExpiryTold: boolean;
  status: string;
  freelancer: string;
  agreed: bigint | null;
  readonly stages: Stage[];
  readonly files: { readonly stage: number; status: string }[];
  readonly incoming: Incoming[];
  readonly payouts: Payout[];
  /** Fees of stages without a payout, because the contractor gets nothing (9.10). */
  readonly bare: Pick<Payout, 'stage' | 'employerFee' | 'contractorFee'>[];
  released: bigint;
  fees: bigint;
  /** All that was written off, and what of it by the tolerance (10.11). */
  writtenOff: bigint;
  tolerated: bigint;
  /** The reports of `paid`, in their order. */
  readonly paids: {
    readonly payment: Incoming;
    readonly reference: string;
    readonly amount: bigint;
  }[];
}

export const sum = <T>(all: readonly T[], of: (each: T) => bigint): bigint =>
  all.reduce((total, each) => total + of(each), 0n);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const isFinal = ({ status }: Model): boolean =>
  ['completed', 'cancelled', 'expired'].includes(status);
/** Work goes on: accepted, and neither disputed nor ended. */
export const isWorking = ({ status }: Model): boolean =>
  ['accepted', 'delivered', 'changes_requested', 'approved'].includes(status);
/** Whether the employer may still get requests: on a completed deal for returned money (9.10). */
export const isAskable = (model: Model): boolean =>
  isWorking(model) || model.status === 'completed';
export const isOpen = ({ status }: Incoming): boolean =>
  status === 'requested' || status === 'processing';
/** A payout that is neither made nor cancelled reserves its amount. */
export const isLive = ({ status }: Payout): boolean => status !== 'paid' && status !== 'cancelled';

export const planned = ({ employerFee, contractorFee }: Model['bare'][number]): bigint =>
  employerFee + contractorFee;

/** The part of its fees that is posted with it: the rest of those of the deal. */
export function feesOf(model: Model, payout: Payout): bigint {
  if (payout.isFeePosted) return 0n;
  return least(planned(payout), most(0n, model.employerFee + model.contractorFee - model.fees));
}
export const takes = (model: Model, payout: Payout): bigint =>
  payout.amount + feesOf(model, payout);
export const processing = (model: Model): bigint =>
  sum(model.payouts, (each) => (each.status === 'processing' ? takes(model, each) : 0n));

/**
 * 6.7 (c), 10.5 and 10.12: the reported amount, and at least what must have come, less what never
 * came.
 */
export const came = ({ told, implied, voided }: Incoming): bigint => most(told, implied) - voided;
export const refundedOf = ({ refunds }: Incoming): bigint =>
  sum([...refunds.values()], ({ gone, failed }) => most(0n, gone - failed));

/** 6.7 (d) and 9.10: every figure is whole, and the loss is their excess over the held money. */
export function figures(model: Model) {
  const { incoming, released, fees } = model;
  const paid = sum(incoming, came);
  const refunded = sum(incoming, refundedOf);
  const chargedBack = sum(incoming, (each) => each.chargedBack);
  const rest = paid - released - refunded - fees - chargedBack;
  const forgiven = most(0n, least(model.writtenOff, owed(model) - (paid - refunded - chargedBack)));
  // 10.23 (h)
  const planned = sum(model.payouts, (each) => (isLive(each) ? takes(model, each) : 0n));
  const held = most(most(rest, least(planned, rest + forgiven)), processing(model));
  return {
    ...{ rest, forgiven },
    paid,
    held,
    released,
    refunded,
    fees,
    chargedBack,
    loss: held - rest,
  };
}

/** 6.7 (j): a stage of zero or less costs nothing. */
export const price = ({ agreed, budget }: Stage): bigint => most(agreed ?? budget, 0n);
/** 6.7 (e). */
export function net(model: Model): bigint {
  const { paid, refunded, chargedBack } = figures(model);
  return paid - refunded - chargedBack;
}

/** 9.7: of a deal whose terms were never changed, all that came counts. */
export const toRefund = (model: Model): bigint =>
  model.versions.length === 1 || isFinal(model) ? 0n : sum(model.refunds, ({ left }) => left);
/** What refunds on their way leave of it (9.7). */
export const available = (model: Model): bigint => net(model) - toRefund(model);

const priced = ({ stages }: Model) =>
  stages.filter((each) => each.status !== 'cancelled' && price(each) > 0n);

/** The payouts that share a fee: those that are made, or may be (6.7 k). */
export const counted = ({ payouts, bare }: Model) => [
  ...payouts.filter(({ status, isFeePosted }) => status !== 'cancelled' || isFeePosted),
  ...bare,
];

/**
 * 6.7 (e): the prices of the stages that are not cancelled, and the employer's fee; of a completed
 * deal, only the part of that fee that its payouts have taken: the rest is not owed.
 */
export function owed(model: Model): bigint {
  const all = priced(model);
  const { employerFee } = model;
  const fee =
    model.status === 'completed'
      ? least(
          employerFee,
          sum(counted(model), (each) => each.employerFee),
        )
      : employerFee;
  return sum(all, price) + (all.length > 0 ? fee : 0n);
}

/** The price of a stage before anything was agreed on. */
export const fullPrice = ({ budget }: Stage): bigint => most(budget, 0n);
/** The amount of a dispute: the stages that are neither paid nor cancelled, at their full price. */
export const openPrices = ({ stages }: Model): bigint =>
  sum(
    stages.filter(({ status }) => status !== 'paid' && status !== 'cancelled'),
    fullPrice,
  );

export function outstanding(model: Model): bigint {
  if (model.status === 'cancelled' || model.status === 'expired') return 0n;
  return most(0n, owed(model) - net(model) - model.writtenOff);
}

/** 6.7 (k) and 10.13: the part of a fee that belongs to a stage, down to the currency's unit. */
export const share = (model: Model, fee: bigint, stage: Stage): bigint =>
  inUnits(model.shape, (fee * price(stage)) / sum(priced(model), price));

/** The amount that the employer should have paid by now: for approved stages, or all in advance. */
export function due(model: Model): bigint {
  if (!isAskable(model) && model.status !== 'disputed') return 0n;
  if (model.shape.mode === 'prepaid') return owed(model);
  const all = priced(model);
  const approved = all.filter(({ status }) => status === 'approved' || status === 'paid');
  if (approved.length === all.length) return owed(model);
  return sum(approved, (each) => price(each) + share(model, model.employerFee, each));
}

/** The money that an ended deal need not hold: it is refunded. */
export function surplus(model: Model): bigint {
  if (!isFinal(model)) return 0n;
  const { held } = figures(model);
  // a completed deal may still request the missing money of a payout that came back
  const kept =
    model.status === 'completed' ? model.stages.filter((each) => isUnpaid(model, each)) : [];
  const missing = sum(kept, (stage) => {
    const those = model.payouts.filter((each) => each.stage === stage);
    return those.some(isLive) ? 0n : (those.filter(isBackAgain).at(-1)?.amount ?? 0n);
  });
  const live = sum(model.payouts.filter(isLive), (each) => takes(model, each));
  return most(0n, held - live - missing);
}

/** The money that payouts leave. */
export const unpromised = (model: Model): bigint =>
  figures(model).held -
  sum(model.payouts, (each) =>
    isLive(each) ? takes(model, each) : isOwed(model, each) ? each.amount : 0n,
  );

/** 10.12: what is beyond all that is owed; once the deal has ended, all that is held for nothing. */
export function tooMuch(model: Model): bigint {
  const back = sum(model.refunds.concat(model.failed), ({ left }) => left);
  const idle = unpromised(model) - back;
  return most(0n, isFinal(model) ? idle : least(idle, net(model) - owed(model) - back));
}

/** 9.13: the days of a stage, seven at least since it was sent back or amended. */
export function deadlineOf(model: Model, stage: Stage): number | null {
  const { startedAt, touchedAt, workDays } = stage;
  if (startedAt === null) return null;
  const days = Math.max(0, workDays ?? model.workDays);
  const at = Math.max(startedAt + days * day, touchedAt === null ? 0 : touchedAt + 7 * day);
  return at < Date.UTC(10_000, 0, 1) ? at : null;
}

/** What the clock has to do, and when (6.1 to 6.3); of one moment, in this order. */
export function dues(model: Model): readonly (readonly [at: number, name: string])[] {
  const all: [number | null, string][] = [[offerEnd(model), 'expire']];
  all.push([expiryNotice(model), 'tell-expiry']);
  for (const stage of isWorking(model) ? model.stages : []) {
    const { status, submittedAt, told } = stage;
    all.push([reviewNotice(stage), 'tell-review-end']);
    if (status === 'submitted') all.push([later(submittedAt, 7), 'approve']);
    const at = /^(pending|changes_requested)$/.test(status) ? deadlineOf(model, stage) : null;
    if (at !== told) all.push([at, 'tell-overdue']);
  }
  for (const { status, expiresAt } of model.proposals)
    if (status === 'open') all.push([expiresAt, 'expire-proposal']);
  for (const each of model.incoming)
    if (isAskable(model) && isOpen(each)) all.push([later(each.since, 14), 'expire-payment']);
  return all.flatMap(([at, name]) => (at === null ? [] : [[at, name] as const]));
}
export const nextDue = (model: Model): number | null =>
  dues(model).reduce<number | null>((first, [at]) => Math.min(first ?? at, at), null);

/** 10.14: an open proposal holds the end of an offer, and leaves three days. */
export function offerEnd({ status, expiresAt, proposals }: Model): number | null {
  if (status !== 'created' || expiresAt === null) return null;
  const open = proposals.find((each) => each.status === 'open');
  return open === undefined ? expiresAt : Math.max(expiresAt, open.expiresAt + 3 * day);
}

/** 7.10: when the clock tells that the deal expires soon, if it has not. */
export const expiryNotice = (model: Model): number | null =>
  model.isExpiryTold ? null : later(offerEnd(model), -3);
const later = (at: number | null, days: number) => (at === null ? null : at + days * day);

/** 7.10: when it tells that a stage is approved soon. */
export const reviewNotice = ({ status, submittedAt, isReviewTold }: Stage): number | null =>
  status !== 'submitted' || isReviewTold ? null : later(submittedAt, 5);

/** 9.16 (d) and 10.15: the moment of work that is due. */
function dueAt(model: Model, stage: Stage): number | null {
  const isDue = /^(pending|submitted|changes_requested)$/.test(stage.status) && !isFinal(model);
  return isDue ? deadlineOf(model, stage) : null;
}
const instantOf = (at: number | null) => (at === null ? null : instant(at));

/** All visible members of a deal, to compare them with the code. */
export function seen(model: Model): object {
  const { paid, held, released, refunded, fees, chargedBack, loss, forgiven } = figures(model);
  return {
    status: model.status,
    freelancer: model.freelancer,
    agreed: model.agreed === null ? null : money(model.agreed),
    due_at: instantOf(nextDue(model)),
    terms: [model.title, model.description, money(model.amount), model.copyright],
    fees: [model.employerFee, model.contractorFee].map(money),
    versions: model.versions.map((each) => [
      each.kind,
      each.hash,
      each.proposal,
      each.by,
      each.acceptedBy ?? model.acceptedBy,
      instant(each.at),
    ]),
    texts: model.versions.length === 1 ? [] : model.versions.map(({ text }) => text),
    proposals: model.proposals.map((each) => [
      typeof each.changes === 'bigint' ? 'settlement' : 'amendment',
      each.by,
      each.status,
      each.hash,
      each.supersedes,
      instant(each.at),
      instant(each.expiresAt),
      instantOf(each.decidedAt),
    ]),
    toRefund: money(toRefund(model)),
    stages: model.stages.map(({ name, budget, workDays, status, agreed, submittedAt }) => [
      name,
      money(budget),
      workDays,
      status,
      agreed === null ? null : money(agreed),
      status !== 'submitted' || submittedAt === null ? null : instant(submittedAt),
    ]),
    due: model.stages.map((stage) => instantOf(dueAt(model, stage))),
    expires: instantOf(offerEnd(model)),
    // nobody sees it, but a process that ended may have told of it
    told: model.stages.map(({ told }) => instantOf(told)),
    notices: [expiryNotice(model), ...model.stages.map(reviewNotice)].map(instantOf),
    files: model.files.map(({ status }) => status),
    incoming: model.incoming.map((each) => [
      each.status,
      money(/^(requested|processing|failed|expired)$/.test(each.status) ? each.asked : came(each)),
      each.reference,
    ]),
    payouts: model.payouts.map((each) => [
      each.status,
      each.stage.id,
      money(each.amount),
      money(each.employerFee + each.contractorFee),
      each.retries,
      money(BigInt(arrivals(each)) * each.amount),
    ]),
    twice: model.stages.some((stage) => isPaidTwice(model, stage)),
    sums: [paid, held, released, refunded, fees, chargedBack, loss, outstanding(model)].map(money),
    writtenOff: money(forgiven),
    doubt: money(sum(model.incoming, (each) => each.doubt)),
    tooMuch: isFinal(model) ? null : money(tooMuch(model)),
    reports: [...model.incoming, ...model.payouts].reduce(
      (all, { reports }) => all + reports.size,
      0,
    ),
    returned: model.stages.some((stage) => isUnpaid(model, stage)),
  };
}

/** 10.3: two attempts of a payout, or two payouts of one stage. */
export const isPaidTwice = ({ payouts }: Model, stage: Stage): boolean =>
  payouts.reduce((all, each) => all + (each.stage === stage ? arrivals(each) : 0), 0) > 1;

/** A paid stage whose payout came back and was not sent again (6.7 c). */
function isUnpaid({ payouts, status }: Model, stage: Stage): boolean {
  const those = payouts.filter((each) => each.stage === stage);
  // after a deal was cancelled, a payout without held money does not come any more
  if (status === 'cancelled' && !those.some(isLive)) return false;
  const isUnderWay = those.some(({ status }) => /^(paid|scheduled|processing)$/.test(status));
  return stage.status === 'paid' && those.some(isBackAgain) && !isUnderWay;
}

export const isBroken = ({ status }: { status: string }) =>
  status === 'failed' || status === 'returned';

/** A payout is owed for a paid stage whose payout came back, while no other pays it. */
export function isOwed({ payouts }: Model, payout: Payout): boolean {
  const those = payouts.filter((each) => each.stage === payout.stage);
  const isPaid = those.some((each) => each !== payout && /^(paid|processing)$/.test(each.status));
  const last = those.filter(isLive).at(-1) ?? those.filter(isBackAgain).at(-1);
  const isBack = payout.stage.status === 'paid' && those.some(isBackAgain);
  return isBack && !isPaid && last === payout;
}
