import { day, dayOne, instant, money, type Shape } from './states.js';

/** A stage as the model has it. */
export interface Stage {
  readonly id: number;
  readonly budget: bigint;
  agreed: bigint | null;
  status: string;
  submittedAt: number | null;
}

/** What the employer was asked for, and what came and went. */
export interface Incoming {
  /** Zero of a payment that came by itself. */
  readonly asked: bigint;
  readonly since: number;
  status: string;
  reference: string | null;
  /** What was received: told, or implied by what went back. */
  came: bigint;
  /** What reports of `paid` told. */
  told: bigint;
  refunded: bigint;
  chargedBack: bigint;
  readonly reports: Set<string>;
}

/** What the contractor is to get for a stage. */
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
  /** The attempt in which a reference was heard of first. */
  readonly heard: Map<string, number>;
}

/** A deal as the model has it: accounts are sums, and nothing is derived from postings. */
export interface Model {
  readonly shape: Shape;
  readonly amount: bigint;
  readonly expiresAt: number | null;
  status: string;
  freelancer: string;
  agreed: bigint | null;
  readonly stages: readonly Stage[];
  readonly files: { readonly stage: number; status: string }[];
  readonly incoming: Incoming[];
  readonly payouts: Payout[];
  paid: bigint;
  held: bigint;
  released: bigint;
  refunded: bigint;
  fees: bigint;
  chargedBack: bigint;
  loss: bigint;
}

/** The model of a deal that was just created. */
export function newModel(shape: Shape): Model {
  const { budgets, expires } = shape;
  return {
    shape,
    amount: budgets.reduce((sum, each) => sum + each, 0n),
    expiresAt: expires ? dayOne + 30 * day : null,
    status: 'created',
    freelancer: 'new',
    agreed: null,
    stages: budgets.map((budget, index) => ({
      id: 101 + index,
      budget,
      agreed: null,
      status: 'pending',
      submittedAt: null,
    })),
    files: [],
    incoming: [],
    payouts: [],
    paid: 0n,
    held: 0n,
    released: 0n,
    refunded: 0n,
    fees: 0n,
    chargedBack: 0n,
    loss: 0n,
  };
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
export const isOpen = ({ status }: Incoming): boolean =>
  status === 'requested' || status === 'processing';
/** A payout that is neither made nor called off reserves what it takes. */
export const isLive = ({ status }: Payout): boolean => status !== 'paid' && status !== 'cancelled';
export const takes = ({ amount, employerFee, contractorFee }: Payout): bigint =>
  amount + employerFee + contractorFee;
export const processing = ({ payouts }: Model): bigint =>
  sum(payouts, (each) => (each.status === 'processing' ? takes(each) : 0n));

/** 6.7 (j): a stage of zero or less costs nothing. */
export const price = ({ agreed, budget }: Stage): bigint => most(agreed ?? budget, 0n);
/** 6.7 (e). */
export const net = ({ paid, refunded, chargedBack }: Model): bigint =>
  paid - refunded - chargedBack;
export const back = ({ refunded, chargedBack }: Incoming): bigint => refunded + chargedBack;

const priced = ({ stages }: Model) =>
  stages.filter((each) => each.status !== 'cancelled' && price(each) > 0n);

/** 6.7 (e): the prices of the stages that are not cancelled, and the employer's fee whole. */
export function owed(model: Model): bigint {
  const all = priced(model);
  return sum(all, price) + (all.length > 0 ? model.shape.employerFee : 0n);
}

/** What a stage was meant to cost, before anything was agreed on. */
export const fullPrice = ({ budget }: Stage): bigint => most(budget, 0n);
/** What a dispute is about: the stages that are neither paid nor cancelled, at their full price. */
export const openPrices = ({ stages }: Model): bigint =>
  sum(
    stages.filter(({ status }) => status !== 'paid' && status !== 'cancelled'),
    fullPrice,
  );

export function outstanding(model: Model): bigint {
  return isFinal(model) ? 0n : most(0n, owed(model) - net(model));
}

/** 6.7 (k): the part of a fee that belongs to a stage, rounded down. */
export const share = (model: Model, fee: bigint, stage: Stage): bigint =>
  (fee * price(stage)) / sum(priced(model), price);

/** What the employer should have paid by now: for what is approved, or beforehand for all. */
export function due(model: Model): bigint {
  if (model.status === 'created' || isFinal(model)) return 0n;
  if (model.shape.mode === 'prepaid') return owed(model);
  const all = priced(model);
  const approved = all.filter(({ status }) => status === 'approved' || status === 'paid');
  if (approved.length === all.length) return owed(model);
  return sum(approved, (each) => price(each) + share(model, model.shape.employerFee, each));
}

/** The earliest moment at which the clock has something to do (6.1 to 6.3). */
export function nextDue(model: Model): number | null {
  const times: number[] = [];
  if (model.status === 'created' && model.expiresAt !== null) times.push(model.expiresAt);
  if (isWorking(model)) {
    for (const { status, submittedAt } of model.stages) {
      if (status === 'submitted' && submittedAt !== null) times.push(submittedAt + 7 * day);
    }
    for (const each of model.incoming) if (isOpen(each)) times.push(each.since + 14 * day);
  }
  return times.length === 0 ? null : Math.min(...times);
}

/** All that can be seen of a deal, to be compared with what the code says of it. */
export function seen(model: Model): object {
  const at = nextDue(model);
  return {
    status: model.status,
    freelancer: model.freelancer,
    agreed: model.agreed === null ? null : money(model.agreed),
    due_at: at === null ? null : instant(at),
    stages: model.stages.map(({ status, agreed, submittedAt }) => [
      status,
      agreed === null ? null : money(agreed),
      // what is approved or sent back needs it no longer
      status !== 'submitted' || submittedAt === null ? null : instant(submittedAt),
    ]),
    files: model.files.map(({ status }) => status),
    incoming: model.incoming.map((each) => [
      each.status,
      money(each.came > 0n ? each.came : each.asked),
      each.reference,
    ]),
    payouts: model.payouts.map((each) => [
      each.status,
      each.stage.id,
      money(each.amount),
      money(each.employerFee + each.contractorFee),
      each.retries,
    ]),
    sums: [
      model.paid,
      model.held,
      model.released,
      model.refunded,
      model.fees,
      model.chargedBack,
      model.loss,
      outstanding(model),
    ].map(money),
  };
}
