import type {
  Actor,
  ContractorPaymentStatus,
  DealChanged,
  EmployerPaymentStatus,
  WebhookChanged,
} from 'dealwright';
import type { Shape } from './shape.js';

/** One form of the data of an event: the members that are always there, and the others. */
export interface EventForm<D = object> {
  readonly always: {
    readonly [K in keyof D as IsOptional<D, K> extends true ? never : K]: Shape<D[K]>;
  };
  readonly maybe: {
    readonly [K in keyof D as IsOptional<D, K> extends true ? K : never]-?: Shape<
      Exclude<D[K], undefined>
    >;
  };
  readonly example: D;
}

type IsOptional<D, K extends keyof D> = Partial<Pick<D, K>> extends Pick<D, K> ? true : false;

/** What is known of a type of events. */
export interface EventRow<D> {
  /** What has happened. */
  readonly when: string;
  /** Who causes it in its example. */
  readonly actor: Actor;
  readonly forms: readonly (D extends unknown ? EventForm<D> : never)[];
}

export const partner_id = 'unique-ID-of-deal-2';
export const stage_ids = [4];

/** A deal that has moved. */
export function ofDeal(when: string, actor: Actor, example: Omit<DealChanged, 'partner_id'>) {
  const always = {
    partner_id: 'text',
    status: 'deal status',
    freelancer_status: 'freelancer status',
  } as const;
  const maybe = {
    stage_ids: ['id'],
    reason: 'text',
    message: 'text',
    agreed_amount: 'money',
  } as const;
  return { when, actor, forms: [{ always, maybe, example: { partner_id, ...example } }] };
}

const payment = {
  partner_id: 'text',
  payment_id: 'ulid',
  amount: 'money',
  currency: 'text',
  reference: 'text or null',
} as const;

const paymentExample = {
  partner_id,
  payment_id: '01KDVE0000000000000000000D',
  amount: '500.00',
  currency: 'PLN',
};

/** A payment of the employer that has this status now. */
export function ofEmployerPayment<S extends EmployerPaymentStatus>(
  status: S,
  when: string,
  actor: Actor = 'payments',
  reference: string | null = 'transfer-1',
) {
  const always = { ...payment, status: 'employer payment status' } as const;
  const example = { ...paymentExample, status, reference };
  return { when, actor, forms: [{ always, maybe: {}, example }] };
}

/** A payment to the contractor that has this status now. */
export function ofContractorPayment<S extends ContractorPaymentStatus>(
  status: S,
  when: string,
  actor: Actor = 'payments',
  reference: string | null = 'payout-1',
) {
  const always = {
    ...payment,
    status: 'contractor payment status',
    stage_ids: ['id'],
  } as const;
  const example = { ...paymentExample, status, reference, stage_ids };
  return { when, actor, forms: [{ always, maybe: {}, example }] };
}

/** An endpoint that was changed. */
export function ofWebhook(
  when: string,
  actor: Actor,
  status: WebhookChanged['status'],
  more: Pick<WebhookChanged, 'reason'> = {},
) {
  const always = { webhook_id: 'ulid', status: 'webhook status' } as const;
  const maybe = { reason: 'disabled reason' } as const;
  const example = { webhook_id: '01KDVE0000000000000000000F', status, ...more };
  return { when, actor, forms: [{ always, maybe, example }] };
}
