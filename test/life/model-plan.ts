import {
  counted,
  least,
  type Model,
  most,
  type Payout,
  price,
  type Stage,
  share,
  sum,
} from './model-state.js';

/** 6.7 (k): fees in proportion to prices; the last payout has the rounding remainder. */
export function plan(model: Model, stage: Stage): Payout {
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
export function planAgain({ stage, amount }: Payout): Payout {
  return {
    ...{ stage, amount, employerFee: 0n, contractorFee: 0n },
    ...{ status: 'scheduled', retries: 0, reference: null },
    ...{ reports: new Set(), heard: new Map() },
    ...{ attempts: new Map(), isLastUnderWay: false, isFeePosted: true },
  };
}
