import type { EmployerPaymentReport, OperatorApi } from 'dealwright';
import type { Result } from 'neverthrow';
import type Stripe from 'stripe';
import { fromProvider } from './minor-units.js';

/** The options of the webhook. */
export interface WebhookOptions {
  readonly stripe: Stripe;
  /** Of this webhook, from the provider: `whsec_...`. */
  readonly secret: string;
  readonly environment: string;
  readonly operator: OperatorApi;
}

/** Records the events of the provider, which sends an event again until the answer is 2xx. */
export function createProviderWebhook(options: WebhookOptions) {
  const { stripe, secret } = options;
  return async (request: Request): Promise<Response> => {
    const signature = request.headers.get('stripe-signature') ?? '';
    // the signature is of the body as it came, byte by byte
    const body = await request.text();
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(body, signature, secret);
    } catch {
      return new Response(null, { status: 400 });
    }
    // a request to the provider that fails, or an amount that no deal has: the event comes again
    const problem = await record(options, event).catch(() => 'provider');
    return new Response(problem ?? null, { status: problem === undefined ? 200 : 503 });
  };
}

/** Why a report is not recorded, if it is not. */
type Problem = string | undefined;

async function record(options: WebhookOptions, event: Stripe.Event): Promise<Problem> {
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const paid = event.data.object;
      return recordEmployer(options, paid, 'paid', { ...paid, amount: paid.amount_received });
    }
    case 'checkout.session.expired':
      return recordEmployer(options, event.data.object, 'expired');
    case 'checkout.session.async_payment_failed':
      return recordEmployer(options, event.data.object, 'failed');
    case 'refund.created':
    case 'refund.updated': {
      const refund = event.data.object;
      if (refund.status !== 'succeeded') return undefined;
      return recordEmployer(options, refund, 'refunded', refund);
    }
    case 'charge.dispute.funds_withdrawn': {
      const dispute = event.data.object;
      return recordEmployer(options, dispute, 'charged_back', dispute);
    }
    case 'charge.dispute.funds_reinstated': {
      const dispute = event.data.object;
      return recordEmployer(options, dispute, 'charge_back_reversed', dispute);
    }
    case 'transfer.created':
      return recordContractor(options, event.data.object);
    default:
      return undefined;
  }
}

/** An object of the provider that can say whose it is, by itself or by the payment that it is of. */
interface Owned {
  readonly id: string;
  readonly metadata?: Stripe.Metadata | null;
  readonly payment_intent?: string | Stripe.PaymentIntent | null;
}

/** Money of the provider, in its units. */
interface Paid {
  readonly amount: number;
  readonly currency: string;
}

/** As a report has it: an amount that a deal cannot have is an error, never left out. */
function moneyOf({ amount, currency }: Paid): {
  readonly amount: string;
  readonly currency: string;
} {
  const exact = fromProvider(amount, currency);
  if (exact === undefined) throw new Error(`no deal has ${amount} of ${currency}`);
  return { amount: exact, currency };
}

async function recordEmployer(
  options: WebhookOptions,
  object: Owned,
  status: EmployerPaymentReport['status'],
  money?: Paid,
): Promise<Problem> {
  const owner = await ownerOf(options, object);
  if (owner === undefined) return undefined;
  const { deals, partner_id, payment_id } = owner;
  const report = { payment_id, status, reference: object.id, ...(money && moneyOf(money)) };
  return problemOf(await deals.recordEmployerPayment(partner_id, report));
}

async function recordContractor(options: WebhookOptions, transfer: Owned & Paid): Promise<Problem> {
  const owner = await ownerOf(options, transfer);
  if (owner === undefined) return undefined;
  const { deals, partner_id, payment_id } = owner;
  const { id: reference } = transfer;
  const report = { payment_id, status: 'paid', reference, ...moneyOf(transfer) } as const;
  return problemOf(await deals.recordContractorPayment(partner_id, report));
}

/** The payment that an object is of; nothing if it has nothing to do with a deal. */
async function ownerOf({ stripe, environment, operator }: WebhookOptions, object: Owned) {
  const { metadata, payment_intent } = object;
  // a dispute, and a refund by hand, have no metadata of ours: their payment has
  const isOurs = metadata?.['payment_id'] !== undefined;
  const id = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  const found =
    isOurs || id === undefined ? metadata : (await stripe.paymentIntents.retrieve(id)).metadata;
  const { partner, partner_id, payment_id } = found ?? {};
  if (found?.['environment'] !== environment) return undefined;
  if (partner === undefined || partner_id === undefined || payment_id === undefined)
    return undefined;
  return { deals: operator.partner(partner), partner_id, payment_id };
}

function problemOf(recorded: Result<unknown, { readonly code: string }>): Problem {
  return recorded.isErr() ? recorded.error.code : undefined;
}
