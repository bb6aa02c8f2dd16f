import type { GatewayReport, PaymentEffect, PaymentGateway } from 'dealwright/ports';
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

/**
 * Pretends to move money, at once, and reports it; in production it does nothing. The last two
 * digits of a deal's amount choose the outcome (decision 6.6): with `.01` every payment of the
 * employer fails, with `.02` the first payout of a stage is returned, with `.03` the first payment
 * is charged back before the payout, with `.04` the employer never answers.
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
    execute: (_tenant, effect) => ok(reportsOf(effect)),
  };
}

function reportsOf(effect: PaymentEffect): readonly GatewayReport[] {
  const { kind, id, deal_amount, attempt, before } = effect;
  const magic = deal_amount.slice(-3);
  const report = (status: GatewayReport['status'], reference = id): GatewayReport => ({
    status,
    reference,
  });
  if (kind === 'refund') return [{ ...report('refunded'), amount: effect.amount }];
  if (kind === 'pay_out') {
    return [report(magic === '.02' && attempt === 1 ? 'returned' : 'paid')];
  }
  if (magic === '.04') return [];
  if (magic === '.01') return [report('failed')];
  const isChargedBack = magic === '.03' && before === 0;
  return isChargedBack
    ? [report('paid'), report('charged_back', `${id}-charge-back`)]
    : [report('paid')];
}
