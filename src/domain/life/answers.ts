import { ok, type Result } from 'neverthrow';
import {
  applyChanges,
  both,
  type Changes,
  type DealState,
  type Moment,
} from '../payments/draft.js';
import { minorUnits, sum } from '../payments/ledger.js';
import type { PaymentReport } from '../payments/report.js';
import type { Row } from '../records/records.js';
import type { PaymentEffectKind } from '../values/payment-status.js';
import { reported } from './command-input.js';
import { decide, type Refusal } from './decide.js';
import { begun } from './executions.js';
import type { Lifecycle } from './rules.js';

type Command = keyof typeof reported;

const refunds = ['partially_refunded', 'refunded', 'refund_failed'] as const;

/** By the kind of an effect: what records its reports, and which it may have (decision 10.2). */
export const answersOf: Readonly<
  Record<
    PaymentEffectKind,
    { readonly command: Command; readonly statuses: readonly PaymentReport['status'][] }
  >
> = {
  request_payment: {
    command: 'record-employer-payment',
    statuses: reported['record-employer-payment'].filter(
      (status) => status !== 'voided' && !refunds.some((each) => each === status),
    ),
  },
  pay_out: {
    command: 'record-contractor-payment',
    statuses: reported['record-contractor-payment'],
  },
  refund: { command: 'record-employer-payment', statuses: refunds },
};

/** Why the reports of an answer cannot be about its effect; `undefined` if they can. */
export function misfit(
  { kind, amount }: Pick<Row<'intent'>, 'amount'> & { readonly kind: PaymentEffectKind },
  reports: readonly PaymentReport[],
): string | undefined {
  const { statuses } = answersOf[kind];
  const other = reports.find(({ status }) => !statuses.includes(status));
  if (other !== undefined) return `an effect ${kind} is not answered by ${other.status}`;
  if (kind !== 'refund') return undefined;
  const asked = minorUnits(amount);
  const isMore = [false, true].some((isFailed) => {
    const told = new Map(
      reports
        .filter(({ status }) => (status === 'refund_failed') === isFailed)
        .map((each) => [`${each.status} ${each.reference}`, each.amount ?? asked]),
    );
    return sum([...told.values()], (each) => each) > asked;
  });
  return isMore ? 'a refund is of no more than was asked for' : undefined;
}

/**
 * The gateway has answered: the effect has begun, and all of its reports count, in one write, or
 * nothing of the answer does (decision 10.2).
 */
export function answered(
  lifecycle: Lifecycle,
  state: DealState,
  { id, kind }: { readonly id: string; readonly kind: PaymentEffectKind },
  reports: readonly PaymentReport[],
  moment: Moment,
): Result<Changes, Refusal> {
  const { command: name } = answersOf[kind];
  let [after, all] = [state, begun(state, id, moment)];
  after = applyChanges(after, all);
  for (const report of reports) {
    const told = { ...report, effect: id };
    const decided = decide(lifecycle, after, { name, actor: 'payments', report: told }, moment);
    if (decided.isErr()) return decided;
    after = applyChanges(after, decided.value);
    all = both(all, decided.value);
  }
  return ok(all);
}
