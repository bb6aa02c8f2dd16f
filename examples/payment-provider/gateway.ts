import {
  type GatewayAnswer,
  type PaymentEffect,
  type PaymentGateway,
  type Tenant,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import type Stripe from 'stripe';
import { toProvider } from './minor-units.js';

/** The client of the provider, and the other options of the gateway. */
export interface ProviderOptions {
  readonly stripe: Stripe;
  /** The environment whose money this account moves. */
  readonly environment: Tenant['environment'];
  /** The page that the employer sees after the payment. */
  readonly thanksUrl: string;
  /** Sends the employer to the page of payment. The same link can come again. */
  tellEmployer(partner_id: string, url: string): Promise<void>;
  /** The account of a freelancer at the provider, if there is one. */
  accountOf(freelancer: string): Promise<string | undefined>;
}

/** Moves money by Stripe. Only the webhooks report the outcome. */
export function createProviderGateway(options: ProviderOptions): PaymentGateway {
  return {
    executes: ({ environment }) => environment === options.environment,
    async execute(tenant, effect) {
      try {
        return ok(await begin(options, tenant, effect));
      } catch (cause) {
        // it may have happened: the same effect is asked for again, with the same key
        return unavailable({ outcome: 'unknown', cause });
      }
    },
  };
}

async function begin(
  options: ProviderOptions,
  tenant: Tenant,
  effect: PaymentEffect,
): Promise<GatewayAnswer> {
  const amount = toProvider(effect.amount, effect.currency);
  // the provider has no such amount in this currency
  if (amount === undefined) return { refused: { reason: 'amount', retry: 'never' } };
  const { environment, partner } = tenant;
  const { id, payment_id, partner_id } = effect;
  // every object names its payment: the webhooks read that
  const metadata = { environment, partner, partner_id, payment_id, effect: id };
  if (effect.kind === 'request_payment') return ask(options, effect, amount, metadata);
  if (effect.kind === 'pay_out') return payOut(options, effect, amount, metadata);
  return refund(options, effect, amount, metadata);
}

type Metadata = Readonly<Record<string, string>>;

async function ask(
  { stripe, thanksUrl, tellEmployer }: ProviderOptions,
  { id, payment_id, partner_id, ...effect }: PaymentEffect,
  unit_amount: number,
  metadata: Metadata,
): Promise<GatewayAnswer> {
  const currency = effect.currency.toLowerCase();
  const product_data = { name: partner_id };
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data } }],
      success_url: thanksUrl,
      metadata,
      // a refund finds what was paid by this group
      payment_intent_data: { metadata, transfer_group: payment_id },
    },
    { idempotencyKey: id },
  );
  if (session.url !== null) await tellEmployer(partner_id, session.url);
  return {};
}

async function payOut(
  { stripe, accountOf }: ProviderOptions,
  { id, currency, freelancer }: PaymentEffect,
  amount: number,
  metadata: Metadata,
): Promise<GatewayAnswer> {
  // the provider forgets keys after a day, and an effect can be older
  const { data } = await stripe.transfers.list({ transfer_group: id, limit: 1 });
  if (data.length > 0) return {};
  const destination = await accountOf(freelancer);
  if (destination === undefined) return { refused: { reason: 'payee_missing', retry: 'later' } };
  await stripe.transfers.create(
    { amount, currency: currency.toLowerCase(), destination, transfer_group: id, metadata },
    { idempotencyKey: id },
  );
  return {};
}

async function refund(
  { stripe }: ProviderOptions,
  { id, payment_id }: PaymentEffect,
  amount: number,
  metadata: Metadata,
): Promise<GatewayAnswer> {
  const charges = await stripe.charges.list({
    transfer_group: payment_id,
    expand: ['data.refunds'],
  });
  const refunds = charges.data.flatMap((charge) => charge.refunds?.data ?? []);
  if (refunds.some((each) => each.metadata?.['effect'] === id)) return {};
  const charge = charges.data.find((each) => each.amount - each.amount_refunded >= amount);
  // no charge has so much left
  if (charge === undefined) return { refused: { reason: 'amount', retry: 'never' } };
  await stripe.refunds.create({ charge: charge.id, amount, metadata }, { idempotencyKey: id });
  return {};
}
