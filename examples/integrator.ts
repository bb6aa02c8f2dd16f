// The integrator: writes against PartnerApi, tests in process, and goes live over HTTP.
import type { CreateDealError, DealCreated, PartnerApi, TransportError } from 'dealwright';
import { err, ok, type Result } from 'neverthrow';

/** An order of the integrator's own shop. */
export interface Order {
  readonly number: string;
  readonly writer: string;
  readonly price: string;
}

/** Commissions texts for an order; asked again after a lost answer, it gives the first one. */
export async function commission(
  api: PartnerApi,
  order: Order,
): Promise<Result<DealCreated, string>> {
  const deal = {
    partner_id: order.number,
    contractor_email: order.writer,
    name: `Texts for order ${order.number}`,
    description: 'Texts for a landing page',
    budget: order.price,
    currency: 'EUR',
    sub_category_id: 75,
  };
  const options = { idempotencyKey: `order-${order.number}` };
  const first = await api.createDeal(deal, options);
  const result =
    first.isErr() && isWorthARetry(first.error) ? await api.createDeal(deal, options) : first;
  return result.isOk() ? ok(result.value) : err(explain(result.error));
}

function isWorthARetry(error: CreateDealError | TransportError): boolean {
  return error.code === 'unavailable' && error.retryable;
}

function explain(error: CreateDealError | TransportError): string {
  switch (error.code) {
    case 'validation_failed':
      return error.errors.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
    case 'rate_limited':
      return `try again in ${error.retryAfter ?? 1} s`;
    default:
      return error.message;
  }
}
