import type { ContractorScope } from '../domain/deals/contractor.js';
import type { DealInput, ShownDeal } from '../domain/deals/deal.js';
import type { listedFields } from '../domain/deals/deal-list.js';
import type { WorkFile } from '../domain/deals/work-file.js';
import type { DomainEvent } from '../domain/events/events.js';
import type { Delivery, Webhook } from '../domain/events/webhook.js';
import type { DealDetails, Outlook, ShownStage } from '../domain/life/details.js';
import type {
  Billing,
  ContractorPayment,
  OperatorBilling,
  WaitingEffect,
} from '../domain/payments/billing.js';
import type { FreelancerProposal } from '../domain/terms/proposal.js';
import type { Alert } from '../domain/values/alert.js';
import type {
  ContractorPaymentStatus,
  EmployerReportStatus,
  UnmatchedReason,
} from '../domain/values/payment-status.js';
import type { DealStatus, FreelancerStatus } from '../domain/values/status.js';
import type { Environment } from '../domain/values/tenant.js';

/**
 * What a service promises to the bearer of a token: what a caller can rely on before the first call
 * (decision 11.5). Later versions have further members.
 */
export interface ServicePromises {
  /** The versions of the interface that are served in this environment. */
  readonly versions: readonly ('1.0' | '2.0')[];
  /** That of the token. */
  readonly environment: Environment;
  /** When the employer of a new deal pays. */
  readonly mode: 'invoice' | 'prepaid';
  /** The rules of input: `interface`, `strict`, or a name of the host; `own` if it gives none. */
  readonly profile: string;
  /** Where a contractor is known. */
  readonly contractor_scope: ContractorScope;
  /** The values that `copyright_transfer` may have. */
  readonly copyright_transfer: readonly string[];
  /** The values that `freelancer_language` may have. */
  readonly freelancer_language: readonly string[];
  /** The currencies that a new deal may have; absent: any three characters. */
  readonly currencies?: readonly string[];
  /** Bytes that a work file may have. */
  readonly max_file_size: number;
  /** Bytes of a JSON body; in process, where there is none, 2^53-1. */
  readonly max_body_size: number;
  /** Code points that the description of a deal of version 2.0 may have. */
  readonly max_description: number;
  /** Whether deals may have fees. Each deal shows its own. */
  readonly takes_fees: boolean;
  /** Whether the host may split a new deal into stages. */
  readonly splits_deals: boolean;
  /** Whether deals of version 1.0 expire as those of 2.0 do. */
  readonly expires_v1_deals: boolean;
  /** Days of work of a stage that sets none. */
  readonly default_work_days: number;
  /** Days after which an open proposal expires. */
  readonly proposal_days: number;
  /** Days before a deal expires that `deal.expires_soon` tells it; 0: never. */
  readonly expiry_notice_days: number;
  /** Days before a stage is approved by itself that `deal.review_ends_soon` tells it; 0: never. */
  readonly review_notice_days: number;
  /** Days that the idempotency key of a command is kept. */
  readonly key_days: number;
  /** Whether `Authorization: Bearer` is taken beside the scheme of each face; in process `false`. */
  readonly accepts_bearer: boolean;
  /** Whether a page of any origin may read answers (CORS); in process `false`. */
  readonly allows_any_origin: boolean;
}

/** The answer to a registered contractor (interface, POST /api/1.0/contractor/). */
export interface ContractorRegistered {
  readonly contractor_email: string;
}

/** The answer to a created deal (interface, POST /api/1.0/deal/). */
export interface DealCreated {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/**
 * The answer to a created 2.0 deal (interface, POST /api/2.0/deal/). The payment token is a secret.
 */
export interface DealV2Created {
  readonly payment_token: string;
  readonly freelancer_status: FreelancerStatus;
  readonly status: DealStatus;
}

/** A main category with its subcategories, named in the language of the call (decision 4). */
export interface CategoryListEntry {
  readonly id: number;
  readonly name: string;
  readonly subcategories: readonly { readonly id: number; readonly name: string }[];
}

/**
 * A deal of version 1.0 as it is retrieved (interface, Retrieve a specific deal; decision 4).
 * `budget` has two decimals.
 */
export interface DealRetrieved extends Required<DealInput>, Outlook {
  readonly id: number;
  readonly status: DealStatus;
  /** The amount that a dispute was resolved with, else `null`. */
  readonly agreed_amount: string | null;
  readonly stages: readonly ShownStage[];
  readonly billing: Billing;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}

/**
 * A deal as its freelancer sees it: without the employer's payments and the token, and with the
 * amount less the contractor's fee (decision 6.5).
 */
export interface FreelancerView
  extends Pick<
      ShownDeal,
      | 'title'
      | 'description'
      | 'amount'
      | 'currency'
      | 'copyright_transfer'
      | 'freelancer_language'
      | 'status'
      | 'freelancer_status'
      | 'agreed_amount'
      | 'created_at'
    >,
    Outlook {
  /** The amount of the deal: `amount` and the contractor's fee. */
  readonly gross: string;
  /** The contractor's fee, which `amount` is less. */
  readonly contractor_fee: string;
  readonly terms_version: number;
  /** SHA-256 of the canonical JSON of the terms: `accept` may send it. */
  readonly terms_sha256: string;
  /** The open proposal, or `null`. */
  readonly proposal: FreelancerProposal | null;
  readonly stages: readonly ShownStage[];
  readonly contractor_payments: readonly ContractorPayment[];
  /** Bytes that a work file may have. */
  readonly max_file_size: number;
}

/** A work file with its content, which is read once; reading throws if it fails half-way. */
export interface DownloadedFile
  extends Pick<WorkFile, 'id' | 'name' | 'size' | 'sha256' | 'content_type'> {
  readonly content: AsyncIterable<Uint8Array>;
}

/** The time of a partner of the sandbox. */
export interface SandboxTime {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** Whether more is due than one call does, or could do: it is done soon, or by the next call. */
  readonly due_left: boolean;
}

/** The result of `runTimers` or `runEffects`. */
export interface RunReport {
  /** Commands of the clock that were given, or effects that were started. */
  readonly done: number;
  /**
   * The number of failures, or of tasks not done within the minute of a run: a later run tries
   * again.
   */
  readonly failed: number;
  /** The failures, at most the first hundred. */
  readonly failures: readonly RunFailure[];
}

/** A failure of a run. */
export interface RunFailure {
  readonly partner: string;
  /** The deal; empty if nothing could be done for the partner, or not all in time. */
  readonly partner_id: string;
  /**
   * In English: the port and its failure, with the rule that a wrong answer breaks, or that the run
   * ended.
   */
  readonly reason: string;
  /** The error or the answer of the port; in process alone, and not enumerable. */
  readonly cause?: unknown;
}

/** A deal as the operator sees it: all of it except the payment token. */
export type OperatorView = Omit<DealDetails, 'payment_token' | 'billing'> & {
  readonly billing: OperatorBilling;
};

/**
 * A deal as the operator retrieves it. The answer to a command is without `effects`: they move
 * without an event of the deal, so that no repeat could give those of then.
 */
export type OperatorDetails = OperatorView & {
  /** What the payment gateway has still to do, the oldest first. */
  readonly effects: readonly WaitingEffect[];
};

export type { DealDetails, Outlook, ShownStage };

/** A deal of either version in a list (decision 4), each member as in its details. */
export type DealListItem = Pick<DealDetails, (typeof listedFields)[number]>;

/** A page of a list of deals, newest first (interface, List employer deals). */
export interface DealListPage {
  readonly results: readonly DealListItem[];
  /** The cursor of older deals, or `null` if there are no more. */
  readonly next: string | null;
  /** The cursor of newer deals; `null` on the first page. */
  readonly previous: string | null;
}

/** A deal in a list of the operator, with its partner. */
export interface OperatorDealItem extends DealListItem {
  readonly partner: string;
  /**
   * When it got its status; `null` if that was not recorded. In the sandbox the time of its
   * partner, who may have moved it.
   */
  readonly status_since: string | null;
  /** Why it needs the operator, from `alert_at` on; `null` if nothing foreseen needs them. */
  readonly alert: Alert | null;
  /** The time that no sandbox has moved. */
  readonly alert_at: string | null;
}

/**
 * A page of a list of deals of the operator. It may have fewer deals than its size, or none, while
 * there are more: one page looks at 1,000 deals at most.
 */
export interface OperatorDealPage {
  readonly results: readonly OperatorDealItem[];
  /** The cursor of the next deals, or `null` if there are no more. */
  readonly next: string | null;
  /** The cursor of the previous deals; `null` on the first page. */
  readonly previous: string | null;
}

/** The part of a deal that a search has found. */
export type DealMatch = 'partner_id' | 'payment' | 'work_file' | 'reference' | 'email' | 'title';

/** The result of a search. */
export interface DealsFound {
  /** What the text names exactly comes first, and titles that begin with it last. */
  readonly results: readonly (OperatorDealItem & { readonly match: DealMatch })[];
  /** Whether there are more: a longer text finds fewer. */
  readonly is_more: boolean;
}

/** A reason why the operator is needed, and how often there is one. */
export interface SummaryLine {
  readonly reason: Alert | 'webhook_failing' | 'report_unmatched';
  /** At most 100. */
  readonly count: number;
  /** Whether there are more than `count`. */
  readonly is_more: boolean;
  /** Since when the oldest waits, or `null` if none does. */
  readonly since: string | null;
}

/** What needs the operator: a line for each reason, also if there is nothing. */
export interface Summary {
  readonly results: readonly SummaryLine[];
}

/** A reader of events for which every attempt has failed for an hour or more. */
export interface FailingConsumer {
  readonly partner: string;
  /** `webhook:<id>`, or `subscription:<name>` of a handler of the host. */
  readonly name: string;
  readonly failing_since: string;
  /** `null` for a handler. */
  readonly webhook: Webhook | null;
}

/** A page of the readers that fail, the longest first. It may be short while `next` moves on. */
export interface FailingConsumersPage {
  readonly results: readonly FailingConsumer[];
  /** The cursor of the next ones, or `null` if there are no more. */
  readonly next: string | null;
}

/** A report of a payment provider that was refused, as it matches no payment of its partner. */
export interface UnmatchedReport {
  readonly partner: string;
  readonly id: string;
  /** The deal that it names. */
  readonly partner_id: string;
  readonly kind: 'employer_payment' | 'contractor_payment';
  readonly payment_id: string | null;
  readonly status: EmployerReportStatus | ContractorPaymentStatus;
  /** `null` if it gave none. */
  readonly amount: string | null;
  /** `null` if it gave none. */
  readonly currency: string | null;
  readonly reference: string;
  /** Why it matches no payment. */
  readonly reason: UnmatchedReason;
  /** When it came first: it is kept once. */
  readonly received_at: string;
  readonly is_dismissed: boolean;
}

/** A page of the reports that match no payment, the longest waiting first. */
export interface UnmatchedReportsPage {
  readonly results: readonly UnmatchedReport[];
  /** The cursor of the next ones, or `null` if there are no more. */
  readonly next: string | null;
}

/** A partner that has written something. */
export interface PartnerItem {
  readonly partner: string;
  /** The name that the host has for it. */
  readonly partner_name: string | null;
}

/** A page of the partners of an environment, in an order of the store. */
export interface PartnersPage {
  readonly results: readonly PartnerItem[];
  /** The cursor of the next ones, or `null` if there are no more. */
  readonly next: string | null;
}

/** The result of one batch of pruning. */
export interface Pruned {
  readonly deleted: number;
  /** Whether there may be more. */
  readonly isMore: boolean;
}

/** The result of a sweep of the contents of a tenant. */
export interface FilesSwept {
  /** Contents that a work file names, or that are too young to judge. */
  readonly kept: number;
  /** Contents that no work file names: they went to the trash. */
  readonly trashed: number;
  /** Contents that came back from the trash because a work file names them. */
  readonly restored: number;
  /** Contents that are deleted for good: after 30 days in the trash, or if there is no trash. */
  readonly deleted: number;
}

/** The store that the contents of work files belong to, by the ids of stores. */
export type FilesOwner =
  /** They belong to this store. */
  | { readonly owner: 'this_store'; readonly own: string }
  /** They belong to another store, which has the id `store`. */
  | { readonly owner: 'another_store'; readonly own: string; readonly store: string }
  /** There are contents without the id of a store, and this store names none of them. */
  | { readonly owner: 'unknown'; readonly own: string }
  /** The store has no id, or the file store does not keep it. */
  | { readonly owner: 'not_kept' };

/** A page of events, the oldest first (decision 7.6). */
export interface EventsPage {
  readonly results: readonly DomainEvent[];
  /** A cursor to continue from, even if there are no more events now. */
  readonly next: string;
}

/** A webhook with its signing secret, which is shown once. */
export interface WebhookCreated extends Webhook {
  /** `whsec_` and base64. A secret. */
  readonly secret: string;
}

/** A page of the deliveries of a webhook, the newest first. */
export interface DeliveriesPage {
  readonly results: readonly Delivery[];
  /** The cursor of older deliveries, or `null` if there are no more. */
  readonly next: string | null;
}

/** A delivery and its webhook. */
export interface WebhookDelivery extends Delivery {
  readonly webhook_id: string;
}

/**
 * A page of the failed deliveries of a partner, the last one to fail first. It may be short while
 * `next` moves on.
 */
export interface FailedDeliveriesPage {
  readonly results: readonly WebhookDelivery[];
  /** The cursor of deliveries that failed before, or `null` if there are no more. */
  readonly next: string | null;
}

/**
 * A page of the deliveries of the events of a deal, the newest first. It may be short while `next`
 * moves on.
 */
export interface DealDeliveriesPage {
  readonly results: readonly WebhookDelivery[];
  /** The cursor of older deliveries, or `null` if there are no more. */
  readonly next: string | null;
}

/** The result of one batch of redelivery. */
export interface Redelivered {
  /** How many deliveries begin anew. */
  readonly count: number;
  /** The cursor of the next batch, or `null` if all were looked at. */
  readonly next: string | null;
}

/** An event of a deal as its freelancer sees it: without the employer's money. */
export interface FreelancerEvent extends Pick<DomainEvent, 'id' | 'type' | 'at' | 'actor'> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A page of the events of an offer, the oldest first. */
export interface FreelancerEventsPage {
  readonly results: readonly FreelancerEvent[];
  /** A cursor to continue from, even if there are no more events now. */
  readonly next: string;
}

export type { Delivery, DeliveryAttempt, Webhook } from '../domain/events/webhook.js';
