import { formatMoney, fromMinorUnits, parseMoney } from 'dealwright';
import type {
  GatewayAnswer,
  GatewayRefusal,
  GatewayReport,
  PaymentEffect,
  PaymentGateway,
} from 'dealwright/ports';
import { ok } from 'neverthrow';

/**
 * Moves no money: the operator moves it by hand, and reports it. It is what a
 * marketplace without a gateway has.
 *
 * @example
 * ```ts
 * import { createManualGateway } from 'dealwright/payments';
 *
 * const payments = createManualGateway();
 * ```
 */
export function createManualGateway(): PaymentGateway {
  return { executes: () => false, execute: () => ok([]) };
}

/** What each of these last digits of a deal's amount means (decision 6.6). */
const magic: Readonly<Record<string, (effect: PaymentEffect) => GatewayAnswer | undefined>> = {
  '.01': ({ kind, id }) => (kind === 'request_payment' ? reported(id, 'failed') : undefined),
  '.02': ({ kind, id, attempt }) =>
    kind === 'pay_out' && attempt === 1 ? reported(id, 'returned') : undefined,
  '.03': ({ kind, id, before }) =>
    kind === 'request_payment' && before === 0 ? reported(id, 'paid', 'charged_back') : undefined,
  '.04': ({ kind }) => (kind === 'request_payment' ? {} : undefined),
  '.05': ({ kind, id, amount }) =>
    kind === 'request_payment' && amount !== '0.01' ? pays(id, amount, -1n) : undefined,
  '.06': ({ kind, id, amount }) =>
    kind === 'request_payment' ? pays(id, amount, 100n) : undefined,
  '.07': ({ kind, id, before }) =>
    kind === 'request_payment' && before === 0
      ? reported(id, 'paid', 'charged_back', 'charge_back_reversed')
      : undefined,
  '.08': ({ kind, calls }) =>
    kind === 'pay_out' && calls === 0 ? refused('payee_missing', 'later') : undefined,
  '.09': ({ kind, attempt }) =>
    kind === 'pay_out' && attempt === 1 ? refused('closed_account', 'never') : undefined,
  '.11': ({ kind, id, payment_id, attempt }) => {
    if (kind !== 'pay_out' || attempt > 2) return undefined;
    const first = `${payment_id}-first`;
    if (attempt === 1) return reported(first, 'failed');
    return { reports: [id, first].map((reference) => ({ status: 'paid', reference })) };
  },
};

/**
 * Pretends to move money, at once, and reports it; in production it does nothing. The last two
 * digits of a deal's amount choose the outcome (decision 6.6): with `.01` every payment of the
 * employer fails, with `.02` the first payout of a stage is returned, with `.03` the first payment
 * is charged back before the payout, with `.04` the employer never answers, with `.05` it pays 0.01
 * less than it was asked for, with `.06` 1.00 more, and with `.07` the first payment is charged back,
 * and that is won. With `.08` the first
 * call for each payout is refused, as the contractor has no account yet, and with `.09` the first
 * payout of a stage, for good: its account is closed. With `.11` the first payout fails, and arrives
 * all the same once it is sent again, so that both do.
 *
 * @example
 * ```ts
 * import { createSandboxGateway } from 'dealwright/payments';
 *
 * const payments = createSandboxGateway();
 * ```
 */
export function createSandboxGateway(): PaymentGateway {
  return {
    executes: ({ environment }) => environment === 'sandbox',
    execute: (_tenant, effect) => ok(answerTo(effect)),
  };
}

function answerTo(effect: PaymentEffect): GatewayAnswer {
  const { kind, id, amount, deal_amount } = effect;
  const given = magic[deal_amount.slice(-3)]?.(effect);
  if (given !== undefined) return given;
  if (kind !== 'refund') return reported(id, 'paid');
  return { reports: [{ status: 'refunded', reference: id, amount }] };
}

/** The names of what is reported after the first: a charge-back and its end have one. */
const nameOf: Readonly<Record<string, string>> = {
  charged_back: 'charge-back',
  charge_back_reversed: 'charge-back',
};

/** Reports one after the other, with references of their own. */
const reported = (id: string, ...all: readonly GatewayReport['status'][]): GatewayAnswer => ({
  reports: all.map((status, at) => ({
    status,
    reference: at === 0 ? id : `${id}-${nameOf[status] ?? status}`,
  })),
});

/** The employer pays so many cents more than it was asked for. */
const pays = (id: string, asked: string, more: bigint): GatewayAnswer => {
  const amount = formatMoney(fromMinorUnits((parseMoney(asked) ?? 0n) + more));
  return { reports: [{ status: 'paid', reference: id, amount }] };
};

const refused = (
  reason: GatewayRefusal['reason'],
  retry: GatewayRefusal['retry'],
): GatewayAnswer => ({ refused: { reason, retry } });
