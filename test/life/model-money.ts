import {
  back,
  due,
  type Incoming,
  isFinal,
  isLive,
  isOpen,
  isWorking,
  least,
  type Model,
  most,
  net,
  type Payout,
  price,
  processing,
  type Stage,
  share,
  sum,
  takes,
} from './model-state.js';

/** What a report says of a payment; payments are named by their place in the order they were made. */
export interface Report {
  readonly payment?: number;
  readonly status: string;
  readonly amount?: bigint;
  readonly reference: string;
}

/** 6.7 (c). */
const ranks: Readonly<Record<string, number>> = {
  requested: 0,
  scheduled: 0,
  processing: 1,
  failed: 2,
  expired: 2,
  returned: 2,
  cancelled: 2,
  paid: 3,
  partially_refunded: 4,
  refunded: 4,
  charged_back: 4,
};
const rank = (status: string): number => ranks[status] ?? 0;
const nameOf = ({ status, reference }: Report) => `${status} ${reference}`;

/** Each is recorded once, by payment, reference and status (6.3). */
export function isKnown(
  payments: readonly { readonly reports: ReadonlySet<string> }[],
  report: Report,
): boolean {
  const those =
    report.payment === undefined ? payments : payments.slice(report.payment).slice(0, 1);
  return those.some(({ reports }) => reports.has(nameOf(report)));
}

export function ask(model: Model, asked: bigint, now: number): Incoming {
  const payment: Incoming = {
    asked,
    since: now,
    status: 'requested',
    reference: null,
    came: 0n,
    told: 0n,
    refunded: 0n,
    chargedBack: 0n,
    reports: new Set(),
  };
  model.incoming.push(payment);
  return payment;
}

export function expireRequests(
  model: Model,
  events: string[],
  which: (payment: Incoming) => boolean = () => true,
): void {
  for (const each of model.incoming.filter((one) => isOpen(one) && which(one))) {
    each.status = 'expired';
    events.push('employer_payment.expired');
  }
}

/** What is said of an employer's payment; the reason where it is refused. */
export function reportIncoming(
  model: Model,
  report: Report,
  now: number,
  events: string[],
): string | undefined {
  const known = report.payment === undefined ? undefined : model.incoming[report.payment];
  if (report.payment !== undefined && known === undefined) return 'unknown_payment';
  if (known === undefined && (report.status !== 'paid' || report.amount === undefined)) {
    return 'required';
  }
  // of what nobody asked for, nothing can be taken for granted
  if (report.status === 'paid' && report.amount === undefined && known?.asked === 0n) {
    return 'required';
  }
  const payment = known ?? ask(model, 0n, now);
  const { status, reference } = report;
  if (rank(status) < rank('paid')) {
    payment.reports.add(nameOf(report));
    if (rank(status) <= rank(payment.status)) return undefined;
    payment.status = status;
    payment.reference = reference;
    events.push(`employer_payment.${status}`);
    return undefined;
  }
  if (status === 'paid') {
    payment.told += report.amount ?? payment.asked;
    payment.reports.add(nameOf(report));
    // what went back before has implied it already
    if (payment.told <= payment.came) return undefined;
    come(model, payment, payment.told);
  } else {
    const isImplied = rank(payment.status) < rank('paid');
    const left = isImplied ? payment.asked : most(0n, payment.came - back(payment));
    const amount = report.amount ?? left;
    // 6.7 (d): the same money may be refunded and charged back; what is beyond is lost
    const before = status === 'charged_back' ? payment.chargedBack : payment.refunded;
    if (amount > payment.came - before && !isImplied) return 'amount_out_of_bounds';
    payment.reports.add(nameOf(report));
    if (amount === 0n) return undefined;
    if (isImplied) come(model, payment, most(amount, payment.asked));
    const taken = least(amount, model.held - processing(model));
    model.held -= taken;
    model.loss += amount - taken;
    if (status === 'charged_back') {
      model.chargedBack += taken;
      payment.chargedBack += amount;
    } else {
      model.refunded += taken;
      payment.refunded += amount;
    }
  }
  payment.status = bySums(payment);
  payment.reference = reference;
  events.push(`employer_payment.${payment.status}`);
  return undefined;
}

function come(model: Model, payment: Incoming, all: bigint): void {
  model.paid += all - payment.came;
  model.held += all - payment.came;
  payment.came = all;
}

/** 6.7 (d): the status follows from the sums. */
function bySums({ came, refunded, chargedBack }: Incoming): string {
  if (chargedBack > 0n) return 'charged_back';
  if (refunded === 0n) return 'paid';
  return refunded < came ? 'partially_refunded' : 'refunded';
}

/** What is said of a payout; the reason where it is refused. */
export function reportPayout(model: Model, report: Report, events: string[]): string | undefined {
  if (report.payment === undefined) return 'required';
  const payout = model.payouts[report.payment];
  if (payout === undefined) return 'unknown_payment';
  const { status, reference, amount } = report;
  if (amount !== undefined && amount !== payout.amount) return 'amount_out_of_bounds';
  payout.reports.add(nameOf(report));
  const isStale = (payout.heard.get(reference) ?? payout.retries) < payout.retries;
  if (!payout.heard.has(reference)) payout.heard.set(reference, payout.retries);
  if (rank(status) <= rank(payout.status) || (isStale && status !== 'paid')) return undefined;
  payout.status = status;
  payout.reference = reference;
  events.push(`contractor_payment.${status}`);
  if (status === 'paid') payOut(model, payout, events);
  return undefined;
}

/** The money is gone, from what is held as far as it goes; the rest is lost. */
function payOut(model: Model, payout: Payout, events: string[]): void {
  // 6.7 (h): others keep what they have reserved, unless it was for the stage that is paid by this
  const others = model.payouts.filter(
    (each) =>
      each !== payout &&
      (each.status === 'processing' || (isLive(each) && each.stage !== payout.stage)),
  );
  const free = model.held - sum(others, takes);
  const covered = least(payout.amount, free);
  const fees = least(payout.employerFee + payout.contractorFee, free - covered);
  model.held -= covered + fees;
  model.released += covered;
  model.loss += payout.amount - covered;
  model.fees += fees;
  if (payout.stage.status !== 'approved') return;
  payout.stage.status = 'paid';
  events.push('deal.stage_paid');
}

/** Which payouts there are, now that something happened (6.3, 6.7 h to k). */
export function settlePayouts(model: Model, events: string[]): void {
  const cancel = (payout: Payout) => {
    payout.status = 'cancelled';
    events.push('contractor_payment.cancelled');
  };
  const waiting = () =>
    model.payouts.filter((each) => isLive(each) && each.status !== 'processing');
  for (const each of waiting()) {
    if (!isWorking(model) || each.stage.status !== 'approved') cancel(each);
  }
  if (!isWorking(model)) return;
  // what was promised later gives way
  let free = model.held - processing(model);
  for (const each of waiting()) {
    if (takes(each) > free) cancel(each);
    else free -= takes(each);
  }
  for (const stage of model.stages) {
    if (stage.status !== 'approved') continue;
    if (model.payouts.some((each) => isLive(each) && each.stage === stage)) continue;
    const payout = plan(model, stage);
    if (takes(payout) > free) return;
    free -= takes(payout);
    model.payouts.push(payout);
    // where the fee takes all there is nobody to wait for
    payout.status = payout.amount === 0n ? 'paid' : 'scheduled';
    events.push(`contractor_payment.${payout.status}`);
    if (payout.amount === 0n) payOut(model, payout, events);
  }
}

/** 6.7 (k): fees in proportion to prices, what rounding leaves with the last payout. */
function plan(model: Model, stage: Stage): Payout {
  const { employerFee, contractorFee } = model.shape;
  const counted = model.payouts.filter((each) => each.status !== 'cancelled');
  const isCovered = (each: Stage) => each === stage || counted.some((one) => one.stage === each);
  const isLast = model.stages.every(
    (each) => each.status === 'cancelled' || price(each) === 0n || isCovered(each),
  );
  const part = (fee: bigint, of: (payout: Payout) => bigint) =>
    isLast ? most(0n, fee - sum(counted, of)) : share(model, fee, stage);
  const ofContractor = least(
    part(contractorFee, (each) => each.contractorFee),
    price(stage),
  );
  return {
    stage,
    amount: price(stage) - ofContractor,
    employerFee: part(employerFee, (each) => each.employerFee),
    contractorFee: ofContractor,
    status: 'scheduled',
    retries: 0,
    reference: null,
    reports: new Set(),
    heard: new Map(),
  };
}

/** Asks for what became due by a decision, less what came without being asked for. */
export function askForMore(model: Model, dueBefore: bigint, now: number, events: string[]): void {
  const dueNow = due(model);
  const asked = sum(model.incoming, (each) => (isOpen(each) ? each.asked : 0n));
  const more = least(dueNow - dueBefore, dueNow - net(model) - asked);
  if (more <= 0n) return;
  ask(model, more, now);
  events.push('employer_payment.requested');
}

/** What of an ended deal no employer's payment can take back makes up for earlier losses. */
export function makeUp(model: Model): void {
  if (!isFinal(model)) return;
  const surplus = model.held - processing(model);
  const rest = surplus - sum(model.incoming, (each) => most(0n, each.came - back(each)));
  if (rest <= 0n) return;
  model.held -= rest;
  model.loss -= rest;
  model.chargedBack += rest;
}
