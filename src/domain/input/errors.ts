import type { Finding, Issue } from '../values/issues.js';
import type { ProposalStatus } from '../values/proposal-status.js';
import type { DealStatus, FreelancerStatus } from '../values/status.js';

/**
 * Every error code of a call: of the domain, of the ports and of the client (decision 5.1). A code
 * starts here; the compiler then demands its messages, its HTTP status and its row in the
 * catalogue. The handler has the codes that only HTTP needs.
 */
export type ErrorCode =
  | 'validation_failed'
  | 'unauthorized'
  | 'not_found'
  | 'contractor_exists'
  | 'deal_exists'
  | 'illegal_transition'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'idempotency_key_reused'
  | 'invalid_idempotency_key'
  | 'invalid_cursor'
  | 'rate_limited'
  | 'unavailable'
  | 'unexpected_response'
  | 'aborted';

/** An error without figures of its own: frozen plain data, distinguished by its literal code. */
export interface Plain<C extends ErrorCode> {
  readonly code: C;
  /** In the language of the call. */
  readonly message: string;
  /** Only over a wire: the id of the request (`X-Request-Id`), for the operator of the service. */
  readonly request_id?: string;
  /**
   * Only over a wire, of a call that changes something: an earlier attempt of this call was not
   * answered, so the call may have had its effect in spite of this error. `unavailable` and
   * `aborted` say the same by their `outcome`.
   */
  readonly afterRetry?: true;
}

/** The input breaks rules; `errors` lists every failing field. */
export interface ValidationFailed extends Plain<'validation_failed'> {
  readonly errors: readonly Issue[];
  /** Only of a client: why a content could not be read to the end, in words. */
  readonly cause?: string;
}

/**
 * A contractor with this e-mail is registered already. The error does not say by whom (decision
 * 2.3). With `afterRetry` it may have been an earlier attempt of this very call.
 */
export type ContractorExists = Plain<'contractor_exists'>;

/**
 * The partner has a deal with this `partner_id` already, of either version (decision 2.2); with
 * `afterRetry` an earlier attempt of this very call may have created it.
 */
export type DealExists = Plain<'deal_exists'>;

/** Why a deal does not allow a command now that it allows at another time (decision 6.2). */
export type PreconditionReason =
  | 'no_files'
  | 'not_paid'
  | 'already_paid'
  | 'work_delivered'
  | 'stage_closed'
  | 'payout_processing'
  | 'nothing_outstanding'
  | 'nothing_to_retry'
  | 'no_surplus'
  | 'amount_out_of_bounds'
  | 'too_many'
  | 'not_due'
  | 'not_overdue'
  | 'stages_required'
  | 'nothing_changed'
  | 'terms_changed'
  | 'consent_needed';

/** The deal is in a state that does not have this command for this actor (decision 6.2). */
export interface IllegalTransition extends Plain<'illegal_transition'> {
  readonly deal_status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** The commands that this actor could give now, by state alone. */
  readonly legal: readonly string[];
  /** Of a command about a proposal: its state. */
  readonly proposal_status?: ProposalStatus;
}

/** The state of the deal has the command, but a condition of it is not met. */
export interface PreconditionFailed extends Plain<'precondition_failed'> {
  readonly reason: PreconditionReason;
}

/** The idempotency key was already used with other input (decision 2.7). */
export type IdempotencyKeyReused = Plain<'idempotency_key_reused'>;

/** The idempotency key is not 1 to 255 visible ASCII characters (decision 2.7). */
export type InvalidIdempotencyKey = Plain<'invalid_idempotency_key'>;

/**
 * Whether a failed call may have had its effect: `none` if nothing can have happened, `unknown` if
 * it may have (decision 8).
 */
export type Outcome = 'none' | 'unknown';

/**
 * Something outside of the core failed. With `outcome: 'unknown'` the call may have had its effect:
 * repeat it with the same idempotency key. `retryable: false` means that repeating cannot help
 * before something is fixed. `cause` is for the host: it is never sent over a wire.
 */
export interface Unavailable extends Plain<'unavailable'> {
  /** Which port failed, and its method: `store.commit`. */
  readonly port: string;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Seconds after which a retry makes sense, if the port knows. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** The errors of registering a contractor. */
export type RegisterContractorError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | ContractorExists
  | Unavailable;

/** The errors of creating a deal, of either version. */
export type CreateDealError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | DealExists
  | Unavailable;

/** A resource that may not exist; `operation` is one that the service does not have. */
export type Resource =
  | 'deal'
  | 'proposal'
  | 'work_file'
  | 'webhook'
  | 'delivery'
  | 'report'
  | 'partner'
  | 'operation';

/**
 * There is no such thing, or it is another partner's: the caller does not learn which (decision
 * 2.5).
 */
export interface NotFound extends Plain<'not_found'> {
  /** The missing resource; another service may not name it. */
  readonly resource?: Resource;
}

/** The cursor does not belong to this list with this filter (decision 4). */
export type InvalidCursor = Plain<'invalid_cursor'>;

/** A file, or a body, has too many bytes. None of it is kept. */
export interface PayloadTooLarge extends Plain<'payload_too_large'> {
  /** The limit; another service may not name it. */
  readonly max_bytes?: number;
}

/** The errors of retrieving a deal, of either version. */
export type RetrieveDealError = NotFound | Unavailable;

/** The errors of a list of deals. */
export type ListDealsError = ValidationFailed | InvalidCursor | Unavailable;

/** The errors of a search of deals. */
export type SearchDealsError = ValidationFailed | Unavailable;

/** The errors of a feed of events. */
export type ListEventsError = ListDealsError;

/** The errors of the time line of a deal. */
export type TimeLineError = ListDealsError | NotFound;

/** The errors of adding a webhook; `not_found` if the host has no webhooks. */
export type CreateWebhookError = ValidationFailed | NotFound | Unavailable;

/** The errors of a call about a webhook. */
export type WebhookError = NotFound | Unavailable;

/** The errors of a list of API tokens. */
export type ListTokensError = NotFound | Unavailable;

/** The errors of a list of deliveries. */
export type ListDeliveriesError = ListDealsError | NotFound;

/** The errors of sending the deliveries of a webhook again. */
export type RedeliverAllError = ListDeliveriesError;

/** The errors of uploading a file. */
export type UploadFileError =
  | InvalidIdempotencyKey
  | NotFound
  | ValidationFailed
  | PayloadTooLarge
  | PreconditionFailed
  | IdempotencyKeyReused
  | Unavailable;

/** The errors of a command for a deal. */
export type CommandError =
  | InvalidIdempotencyKey
  | NotFound
  | ValidationFailed
  | IllegalTransition
  | PreconditionFailed
  | IdempotencyKeyReused
  | Unavailable;

/** An error as a use case returns it: without a message, and with findings in place of issues. */
export type WithoutMessage<E> = E extends ValidationFailed
  ? { readonly code: 'validation_failed'; readonly errors: readonly Finding[] }
  : E extends { readonly message: string }
    ? Omit<E, 'message'>
    : never;

/** The error that the caller gets for it. */
export type WithMessage<R> = R extends { readonly errors: readonly Finding[] }
  ? ValidationFailed
  : R & { readonly message: string };

/** The refusal of input that breaks rules. */
export function validationFailed(...errors: readonly Finding[]): WithoutMessage<ValidationFailed> {
  return { code: 'validation_failed', errors };
}

/** The refusal of a call about a resource that does not exist. */
export function notFound(resource: Resource): WithoutMessage<NotFound> {
  return { code: 'not_found', resource };
}
