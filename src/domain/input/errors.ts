import type { Finding, Issue } from '../values/issues.js';
import type { DealStatus, FreelancerStatus } from '../values/status.js';

/**
 * Every error code that a call is answered with: of the domain, of the ports and of the client
 * (decision 5.1). A code starts here; its messages, its HTTP status and its row in the catalogue
 * follow, or nothing compiles. Codes that only HTTP needs are those of the handler.
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
   * Only over a wire, of what changes something: an earlier attempt of this call was not answered,
   * so that the call may have had its effect, in spite of this error. `unavailable` and `aborted`
   * say the same by their `outcome`.
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
 * A contractor with this e-mail is registered already. It is not said by whom (decision 2.3); with
 * `afterRetry` it may have been an earlier attempt of this very call.
 */
export type ContractorExists = Plain<'contractor_exists'>;

/**
 * The partner has a deal with this `partner_id` already, of either version (decision 2.2); with
 * `afterRetry` an earlier attempt of this very call may have created it.
 */
export type DealExists = Plain<'deal_exists'>;

/** Why a deal does not allow now what it allows at another time (decision 6.2). */
export type PreconditionReason =
  | 'no_files'
  | 'not_paid'
  | 'already_paid'
  | 'work_delivered'
  | 'stage_closed'
  | 'payout_processing'
  | 'nothing_outstanding'
  | 'nothing_to_retry'
  | 'amount_out_of_bounds'
  | 'too_many'
  | 'not_due';

/** The deal is in a state that does not know this command of this actor (decision 6.2). */
export interface IllegalTransition extends Plain<'illegal_transition'> {
  readonly deal_status: DealStatus;
  readonly freelancer_status: FreelancerStatus;
  /** The commands that this actor could give now, by state alone. */
  readonly legal: readonly string[];
}

/** The deal knows the command, and something that it needs is not there. */
export interface PreconditionFailed extends Plain<'precondition_failed'> {
  readonly reason: PreconditionReason;
}

/** The idempotency key was used before with other input (decision 2.7). */
export type IdempotencyKeyReused = Plain<'idempotency_key_reused'>;

/** The idempotency key is not 1 to 255 visible ASCII characters (decision 2.7). */
export type InvalidIdempotencyKey = Plain<'invalid_idempotency_key'>;

/**
 * Whether a failed call may have had its effect: `none` where nothing can have happened, `unknown`
 * where it may have (decision 8).
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
  /** Seconds after which a retry makes sense, where the port knows. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** What registering a contractor can answer instead of a result. */
export type RegisterContractorError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | ContractorExists
  | Unavailable;

/** What creating a deal, of either version, can answer instead of a result. */
export type CreateDealError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | DealExists
  | Unavailable;

/** What a call can look for in vain; `operation` is one that the service does not have. */
export type Resource = 'deal' | 'work_file' | 'webhook' | 'delivery' | 'partner' | 'operation';

/**
 * There is no such thing, or it is another partner's: the caller does not learn which (decision
 * 2.5).
 */
export interface NotFound extends Plain<'not_found'> {
  /** What there is not; another service may not say it. */
  readonly resource?: Resource;
}

/** The cursor does not belong to this list with this filter (decision 4). */
export type InvalidCursor = Plain<'invalid_cursor'>;

/** A file, or a body, has too many bytes. Nothing of it is kept. */
export interface PayloadTooLarge extends Plain<'payload_too_large'> {
  /** The limit; another service may not say it. */
  readonly max_bytes?: number;
}

/** What retrieving a deal, of either version, can answer instead of a result. */
export type RetrieveDealError = NotFound | Unavailable;

/** What a list of deals can answer instead of a page. */
export type ListDealsError = ValidationFailed | InvalidCursor | Unavailable;

/** What a feed of events can answer instead of a page. */
export type ListEventsError = ListDealsError;

/** What the time line of a deal can answer instead of a page. */
export type TimeLineError = ListDealsError | NotFound;

/** What adding an endpoint can answer instead of it; `not_found` where the host has no webhooks. */
export type CreateWebhookError = ValidationFailed | NotFound | Unavailable;

/** What a call about an endpoint can answer instead of a result. */
export type WebhookError = NotFound | Unavailable;

/** What a list of deliveries can answer instead of a page. */
export type ListDeliveriesError = ListDealsError | NotFound;

/** What uploading a file can answer instead of a result. */
export type UploadFileError =
  | InvalidIdempotencyKey
  | NotFound
  | ValidationFailed
  | PayloadTooLarge
  | PreconditionFailed
  | IdempotencyKeyReused
  | Unavailable;

/** What a command for a deal can answer instead of the deal. */
export type CommandError =
  | InvalidIdempotencyKey
  | NotFound
  | ValidationFailed
  | IllegalTransition
  | PreconditionFailed
  | IdempotencyKeyReused
  | Unavailable;

/** An error as a use case answers it: without a message, and with findings in place of issues. */
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

/** The refusal of a call about something that there is not. */
export function notFound(resource: Resource): WithoutMessage<NotFound> {
  return { code: 'not_found', resource };
}
