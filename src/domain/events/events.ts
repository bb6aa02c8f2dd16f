import { dealTermsOf } from '../deals/deal.js';
import type { lifecycle } from '../life/lifecycle.js';
import type { Row } from '../records/records.js';
import { emailKey } from '../values/email.js';
import type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
  ShownReason,
} from '../values/payment-status.js';
import type { ProposalKind, ProposalStatus } from '../values/proposal-status.js';
import type {
  DealStatus,
  DisabledReason,
  FreelancerStatus,
  WebhookStatus,
} from '../values/status.js';
import type { Actor, Environment, Tenant } from '../values/tenant.js';

/** The data of each kind of event: never a payment token, a bank account or a tax number. */
export interface EventData extends LifeEvents, ProposalEvents, PaymentEvents, WebhookEvents {
  readonly 'contractor.registered': {
    readonly contractor_email: string;
    readonly country_code: string;
    readonly language: string;
  };
  readonly 'deal.created':
    | {
        readonly api_version: '1.0';
        readonly partner_id: string;
        readonly contractor_email: string;
        readonly name: string;
        readonly budget: string;
        readonly currency: string;
        readonly work_days: number;
        readonly sub_category_id: number;
      }
    | {
        readonly api_version: '2.0';
        readonly partner_id: string;
        readonly email_freelancer: string;
        readonly title: string;
        readonly amount: string;
        readonly currency: string;
        readonly subcategory_id: number;
      };
  readonly 'work_file.stored': {
    readonly partner_id: string;
    readonly stage_id: number;
    readonly work_file_id: string;
    readonly name: string;
    readonly size: number;
    readonly sha256: string;
    readonly content_type: string;
  };
}

/** A change of the webhook of a partner; its URL may be a secret. */
export type WebhookChanged = {
  readonly webhook_id: string;
  readonly status: WebhookStatus;
  readonly reason?: DisabledReason;
};

type WebhookEvents = {
  readonly [T in
    | 'webhook.created'
    | 'webhook.rotated'
    | 'webhook.enabled'
    | 'webhook.disabled'
    | 'webhook.deleted']: WebhookChanged;
};

/** The events of the commands of our table, and those that may follow from any of them. */
type LifeEvents = {
  readonly [T in
    | EventOf<(typeof lifecycle)[number]>
    | 'deal.stage_paid'
    | 'deal.completed']: DealChanged;
};

type EventOf<R> = R extends { readonly event: infer E extends string } ? E : never;

/** A deal after a command. */
export interface DealChanged {
  readonly partner_id: string;
  readonly status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** The stages that moved, if any did. */
  readonly stage_ids?: readonly number[];
  readonly reason?: string;
  readonly message?: string;
  readonly agreed_amount?: string;
  /** Of a bonus, and of what was written off. */
  readonly amount?: string;
  /** Of new terms. */
  readonly terms_version?: number;
  /** The proposal that has changed the terms. */
  readonly proposal_id?: string;
}

/** A proposal after a command. */
export interface ProposalChanged
  extends Pick<DealChanged, 'partner_id' | 'status' | 'freelancer_status' | 'message'> {
  readonly proposal_id: string;
  readonly kind: ProposalKind;
  /** The side that has proposed it. */
  readonly by: Actor;
  readonly terms_sha256: string;
}

type ProposalEvents = {
  readonly [S in Exclude<ProposalStatus, 'open'> | 'created' as `proposal.${S}`]: ProposalChanged;
};

/**
 * What happened to a payment (decision 10.7). Whoever adds up the amounts of a kind of event has the
 * figure of the billing.
 */
export interface PaymentChanged<S> {
  readonly partner_id: string;
  readonly payment_id: string;
  /** What moved; of an event without a movement, what it is about. */
  readonly amount: string;
  /** What it is about, if nothing moved: `amount` is `0.00` then. */
  readonly asked?: string;
  readonly currency: string;
  /** The same as `payment_status`. */
  readonly status: S;
  /** The status of the payment after it. */
  readonly payment_status: S;
  readonly reference: string | null;
}

/** What happened to money of an employer, whatever the status of its payment is after it. */
type Moved = 'paid' | 'refunded' | 'charged_back' | 'charge_back_reversed';

type PaymentEvents = {
  readonly [S in
    | 'requested'
    | 'processing'
    | 'expired' as `employer_payment.${S}`]: PaymentChanged<S>;
} & {
  readonly 'employer_payment.failed': PaymentChanged<'failed'> & Refused;
} & {
  readonly [W in
    | Moved
    | 'refund_failed'
    | 'refund_retried' as `employer_payment.${W}`]: PaymentChanged<EmployerPaymentStatus>;
} & {
  readonly [W in
    | 'overpaid'
    | 'voided' as `employer_payment.${W}`]: PaymentChanged<EmployerPaymentStatus>;
} & {
  readonly [S in Exclude<
    ContractorPaymentStatus,
    'failed' | 'returned'
  > as `contractor_payment.${S}`]: PayoutChanged<S>;
} & {
  /** Another attempt may have arrived, or be under way. */
  readonly 'contractor_payment.returned': PayoutChanged<ContractorPaymentStatus>;
  readonly 'contractor_payment.failed': PayoutChanged<'failed'> & Refused;
  readonly 'contractor_payment.waiting': PayoutChanged<'scheduled'> & {
    /** Why it does not leave. */
    readonly waits_for: ShownReason;
  };
};

interface PayoutChanged<S> extends PaymentChanged<S> {
  readonly stage_ids: readonly number[];
  /** The attempt that it tells of, from 1; absent of what was told before attempts were apart. */
  readonly attempt?: number;
}

/** A payment that failed because the provider refused it says why. */
interface Refused {
  readonly reason?: ShownReason;
}

/** The kinds of events. */
export type EventType = keyof EventData;

/**
 * A change of state that happened: stored in the same atomic write as the change itself
 * (decision 7).
 */
export type DomainEvent = {
  readonly [T in EventType]: {
    /** ULID; the first event of a write identifies the attempt that made it. */
    readonly id: string;
    readonly type: T;
    readonly environment: Environment;
    readonly partner: string;
    /** `deal:<partner_id>`, `contractor:<lower-cased e-mail>` or `webhook:<id>`. */
    readonly subject: string;
    /** Per subject, from 1, without gaps. */
    readonly sequence: number;
    /** RFC 3339, UTC, milliseconds. */
    readonly at: string;
    readonly actor: Actor;
    /**
     * The digest of the idempotency key, or `null`; of each further event of one write, the id of the
     * one before.
     */
    readonly cause: string | null;
    readonly data: EventData[T];
  };
}[EventType];

/**
 * Reads an event of a log.
 *
 * @example
 * ```ts
 * import { readEvent, type Stored, type Tenant } from 'dealwright/ports';
 *
 * const typesOf = (tenant: Tenant, events: readonly Stored<'event'>[]): string[] =>
 *   events.map((event) => readEvent(tenant, event).type);
 * ```
 */
export function readEvent({ environment, partner }: Tenant, event: Row<'event'>): DomainEvent {
  const { id, type, subject, sequence, at, actor, cause, data } = event;
  return {
    id,
    type,
    environment,
    partner,
    subject,
    sequence,
    at,
    actor,
    cause,
    data,
  } as DomainEvent;
}

/** The origin of an event: who, when, why, and under which id. */
export interface EventOrigin {
  readonly tenant: Tenant;
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly cause: string | null;
}

/** An event of a subject, on its way into the log. */
function newEvent<T extends EventType>(
  { id, at, actor, cause }: Pick<EventOrigin, 'id' | 'at' | 'actor' | 'cause'>,
  type: T,
  subject: string,
  data: EventData[T],
) {
  return { id, type, subject, at, actor, cause, data };
}

/** The event of a new contractor, which belongs to the partner that registered it. */
export function contractorRegistered(origin: EventOrigin, contractor: Row<'contractor'>) {
  const { email, country_code, language } = contractor;
  const data = { contractor_email: email, country_code, language };
  return newEvent(origin, 'contractor.registered', `contractor:${emailKey(email)}`, data);
}

/** The event of a new deal, under the names of its version. */
export function dealCreated(origin: EventOrigin, deal: Row<'deal'>) {
  const { partner_id, currency } = deal;
  const terms = dealTermsOf(deal);
  return newEvent(
    origin,
    'deal.created',
    dealSubject(deal),
    deal.api_version === '1.0'
      ? {
          api_version: '1.0',
          partner_id,
          contractor_email: terms.contractor_email,
          name: terms.name,
          budget: terms.budget,
          currency,
          work_days: terms.work_days,
          sub_category_id: terms.sub_category_id,
        }
      : {
          api_version: '2.0',
          partner_id,
          email_freelancer: deal.email_freelancer,
          title: deal.title,
          amount: deal.amount,
          currency,
          subcategory_id: deal.subcategory_id,
        },
  );
}

/** The event of a file that was uploaded for a stage of a deal. */
export function workFileStored(origin: EventOrigin, file: Row<'work_file'>) {
  const { id: work_file_id, partner_id, stage_id, name, size, sha256, content_type } = file;
  const data = { partner_id, stage_id, work_file_id, name, size, sha256, content_type };
  return newEvent(origin, 'work_file.stored', dealSubject(file), data);
}

/** The event of a change of a webhook. */
export function webhookChanged(
  origin: Pick<EventOrigin, 'id' | 'at' | 'actor' | 'cause'>,
  type: keyof WebhookEvents,
  webhook_id: string,
  status: WebhookStatus,
  reason?: DisabledReason,
) {
  const data = { webhook_id, status, ...(reason !== undefined && { reason }) };
  return newEvent(origin, type, webhookSubject(webhook_id), data);
}

/** The subject of the events of a webhook. */
export function webhookSubject(webhook_id: string): string {
  return `webhook:${webhook_id}`;
}

/** The subject of the events of a deal. */
export function dealSubject({ partner_id }: { readonly partner_id: string }): string {
  return `deal:${partner_id}`;
}
