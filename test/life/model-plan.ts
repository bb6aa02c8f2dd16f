import {
  available,
  counted,
  figures,
  isFinal,
  isLive,
  isOwed,
  isWorking,
  least,
  type Model,
  most,
  outstanding,
  owed,
  type Payout,
  planned,
  price,
  processing,
  type Stage,
  share,
  sum,
  takes,
  toRefund,
} from './model-state.js';

/** 6.7 (k): fees in proportion to prices; the last payout has the rounding remainder. */
function plan(model: Model, stage: Stage): Payout {
  const { employerFee, contractorFee } = model;
  const known = counted(model);
  const isCovered = (each: Stage) => each === stage || known.some((one) => one.stage === each);
  const isLast = model.stages.every(
    (each) => /^(paid|cancelled)$/.test(each.status) || price(each) === 0n || isCovered(each),
  );
  const part = (fee: bigint, others: bigint) => {
    const left = most(0n, fee - others);
    return isLast ? left : least(left, share(model, fee, stage));
  };
  const ofContractor = least(
    part(
      contractorFee,
      sum(known, (each) => each.contractorFee),
    ),
    price(stage),
  );
  return {
    stage,
    amount: price(stage) - ofContractor,
    employerFee: part(
      employerFee,
      sum(known, (each) => each.employerFee),
    ),
    contractorFee: ofContractor,
    status: 'scheduled',
    retries: 0,
    reference: null,
    reports: new Set(),
    heard: new Map(),
    attempts: new Map(),
    isLastUnderWay: false,
    isFeePosted: false,
  };
}

/** The same payout again: its fee was posted before. */
function planAgain({ stage, amount }: Payout): Payout {
  return {
    ...{ stage, amount, employerFee: 0n, contractorFee: 0n },
    ...{ status: 'scheduled', retries: 0, reference: null },
    ...{ reports: new Set(), heard: new Map() },
    ...{ attempts: new Map(), isLastUnderWay: false, isFeePosted: true },
  };
}

/** A stage without anything to pay is paid. */
export function paid(stage: Stage, events: string[]): void {
  if (stage.status !== 'approved') return;
  stage.status = 'paid';
  events.push('deal.stage_paid');
}

/** 9.8: a resolution plans payouts anew, but for one that came back of a stage that is paid. */
export function cancelPlanned(model: Model, events: string[]): void {
  for (const each of model.payouts) {
    if (!isLive(each) || each.status === 'processing' || isOwed(model, each)) continue;
    each.status = 'cancelled';
    events.push('contractor_payment.cancelled');
  }
}

/** Settles the payouts after a step (6.3, 6.7 c and h to k, 9.10, 9.16 g). */
export function settlePayouts(model: Model, events: string[]): void {
  const cancel = (payout: Payout) => {
    payout.status = 'cancelled';
    events.push('contractor_payment.cancelled');
  };
  const waiting = () =>
    model.payouts.filter((each) => isLive(each) && each.status !== 'processing');
  for (const each of waiting()) {
    const isWanted = isWorking(model) && each.stage.status === 'approved';
    if (!isWanted && !isOwed(model, each)) cancel(each);
  }
  // later payouts give way first, also to refunds on their way
  const askedBack = sum(model.incoming, (each) => each.askedBack);
  const { rest, forgiven } = figures(model);
  let free = rest + forgiven - processing(model) - most(askedBack, toRefund(model));
  for (const each of waiting()) {
    if (takes(model, each) > free) cancel(each);
    else free -= takes(model, each);
  }
  if (model.status === 'disputed') return;
  for (const stage of model.stages) {
    const those = model.payouts.filter((each) => each.stage === stage);
    if (those.some(isLive)) continue;
    const again = those.find((each) => isOwed(model, each));
    if (again === undefined && !(isWorking(model) && stage.status === 'approved')) continue;
    // 9.9: a bonus waits for all that is outstanding, and nothing waits for it
    const isOpen = isFinal(model)
      ? outstanding(model) > 0n
      : available(model) + model.writtenOff < owed(model);
    if (stage.isBonus && isOpen) continue;
    const payout = again === undefined ? plan(model, stage) : planAgain(again);
    const wanted = takes(model, payout);
    if (wanted > free) return;
    free -= wanted;
    // if the fee takes all, there is no payout
    if (payout.amount === 0n) {
      model.bare.push(payout);
      model.fees += planned(payout);
      paid(stage, events);
      continue;
    }
    model.payouts.push(payout);
    events.push('contractor_payment.scheduled');
  }
}
