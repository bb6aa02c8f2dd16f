import type { Finding, Issue } from './issues.js';
import { describeError, describeIssue, type Language } from './messages.js';

/**
 * Every error code there is: of the domain, of the ports, of the wire (decision 5.1) and of the
 * client. A code is born here; its messages, its HTTP status and its row in the catalogue follow, or nothing compiles.
 */
export type ErrorCode =
  | 'invalid_json'
  | 'validation_failed'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'contractor_exists'
  | 'deal_exists'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'invalid_idempotency_key'
  | 'invalid_cursor'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'
  | 'unexpected_response'
  | 'aborted';

/** An error without figures of its own: frozen plain data, told apart by its literal code. */
export interface Plain<C extends ErrorCode> {
  readonly code: C;
  /** In the language of the call. */
  readonly message: string;
  /**
   * Only over a wire: the id of the request that was answered so (`X-Request-Id`), to be named to who
   * runs the service.
   */
  readonly request_id?: string;
  /**
   * Only over a wire, of what changes something: an earlier attempt of this very call was not
   * answered, so that the call may have had its effect, whatever this error says. `unavailable` and
   * `aborted` say the same by their `outcome`.
   */
  readonly afterRetry?: true;
}

/**
 * The input breaks rules; `errors` lists every failing field.
 */
export interface ValidationFailed extends Plain<'validation_failed'> {
  readonly errors: readonly Issue[];
  /** Only of a client: why a content could not be read to its end, in words. */
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
export type PreconditionReason = 'stage_closed';

/** The deal is not in a state that allows it. */
export interface PreconditionFailed extends Plain<'precondition_failed'> {
  readonly reason: PreconditionReason;
}

/**
 * The idempotency key was used before with other input (decision 2.7).
 */
export type IdempotencyKeyReused = Plain<'idempotency_key_reused'>;

/**
 * The idempotency key is not 1 to 255 visible ASCII characters (decision 2.7).
 */
export type InvalidIdempotencyKey = Plain<'invalid_idempotency_key'>;

/**
 * Whether a failed call may have had its effect: `none` where nothing can have happened, `unknown`
 * where it may have (decision 8).
 */
export type Outcome = 'none' | 'unknown';

/**
 * Something outside of the core failed. With `outcome: 'unknown'` the call may have had its effect:
 * repeat it with the same idempotency key. `retryable: false` means that repeating cannot help
 * before somebody mends something. `cause` is for the host's eyes: it never travels on a wire.
 */
export interface Unavailable extends Plain<'unavailable'> {
  /** Which port failed, and at what: `deals.add`. */
  readonly port: string;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Seconds after which a retry makes sense, where the port knows. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * What registering a contractor can answer instead of a result.
 */
export type RegisterContractorError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | ContractorExists
  | Unavailable;

/**
 * What creating a deal, of either version, can answer instead of a result.
 */
export type CreateDealError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | DealExists
  | Unavailable;

/**
 * There is no such deal, or it is somebody else's: nobody learns which (decision 2.5).
 */
export type NotFound = Plain<'not_found'>;

/**
 * The cursor is none of this list with this filter (decision 4).
 */
export type InvalidCursor = Plain<'invalid_cursor'>;

/**
 * A file, or a body, has more bytes than are taken. Nothing of it is kept.
 */
export interface PayloadTooLarge extends Plain<'payload_too_large'> {
  /** What is taken; a service of another make may not say. */
  readonly max_bytes?: number;
}

/**
 * What retrieving a deal, of either version, can answer instead of a result.
 */
export type RetrieveDealError = NotFound | Unavailable;

/**
 * What a list of deals can answer instead of a page.
 */
export type ListDealsError = ValidationFailed | InvalidCursor | Unavailable;

/**
 * What uploading a file can answer instead of a result.
 */
export type UploadFileError =
  | InvalidIdempotencyKey
  | NotFound
  | ValidationFailed
  | PayloadTooLarge
  | PreconditionFailed
  | IdempotencyKeyReused
  | Unavailable;

/** An error that is no more than its code and its message. */
export function plainError<const C extends ErrorCode>(code: C, language: Language): Plain<C> {
  return Object.freeze({ code, message: describeError(code, language) });
}

/** A validation error: each finding put into words. */
export function validationFailed(
  findings: readonly Finding[],
  language: Language,
): ValidationFailed {
  return Object.freeze({
    ...plainError('validation_failed', language),
    errors: Object.freeze(findings.map((finding) => describeIssue(finding, language))),
  });
}

/** The error of a deal that does not allow it now. */
export function preconditionFailed(
  reason: PreconditionReason,
  language: Language,
): PreconditionFailed {
  return Object.freeze({ ...plainError('precondition_failed', language), reason });
}
