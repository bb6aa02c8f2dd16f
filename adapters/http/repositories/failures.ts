import type {
  CreateDealError,
  ErrorCode,
  ListDealsError,
  RegisterContractorError,
  RetrieveDealError,
  TransportError,
  UploadFileError,
} from 'dealwright';
import { type PortFailure, unavailable } from 'dealwright/ports';
import type { Err } from 'neverthrow';

/**
 * A rule of the service that an input broke: which field, and which rule, never the value.
 */
export interface UpstreamIssue {
  readonly path: readonly string[];
  readonly code: string;
}

/**
 * Why the service did not do what it was asked: an error code, or that there is no token for the
 * tenant, no such operation in the interface, or an answer that cannot be understood.
 */
export type UpstreamFailureCode = ErrorCode | 'no_token' | 'no_operation' | 'malformed_answer';

/**
 * The `cause` of a repository that failed. It holds no value of a field and no token.
 */
export interface UpstreamFailure {
  readonly code: UpstreamFailureCode;
  /** The HTTP status of an answer that the interface does not know. */
  readonly status?: number;
  /** The code in the body of such an answer, where it gave one. */
  readonly problem?: string;
  /** What a connection that failed said of itself. */
  readonly reason?: string;
  readonly issues?: readonly UpstreamIssue[];
}

/** Whatever the client answers instead of a result. */
export type ClientError =
  | RegisterContractorError
  | CreateDealError
  | RetrieveDealError
  | ListDealsError
  | UploadFileError
  | TransportError;

type Failed = Err<never, PortFailure>;

/** The failure of a port that an error of the client means. */
export function failureOf(error: ClientError): Failed {
  const { code } = error;
  switch (code) {
    case 'unavailable': {
      const { outcome, retryable, retryAfter, cause } = error;
      return unavailable({
        outcome,
        retryable,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        cause: because(typeof cause === 'string' ? { code, reason: cause } : { code }),
      });
    }
    case 'rate_limited': {
      const { retryAfter } = error;
      const wait = retryAfter === undefined ? {} : { retryAfter };
      return unavailable({ outcome: 'none', ...wait, cause: because({ code }) });
    }
    case 'aborted':
      return unavailable({ outcome: error.outcome, cause: because({ code }) });
    case 'unexpected_response': {
      const { status, problem } = error;
      // a success that cannot be understood may be one; any other status refuses
      const outcome = status >= 200 && status < 300 ? 'unknown' : 'none';
      const named = problem === undefined ? {} : { problem };
      return refused(because({ code, status, ...named }), outcome);
    }
    case 'validation_failed':
      return refused(because({ code, issues: error.errors.map(issueOf) }));
    default:
      return refused(because({ code }));
  }
}

/** What the interface has no operation for. */
export function noOperation(): Failed {
  return refused(because({ code: 'no_operation' }));
}

/** The service has not been asked: there is no token to ask it with. */
export function noToken(): Failed {
  return refused(because({ code: 'no_token' }));
}

/** An upload that its service takes no further. */
export function stalled(outcome: 'none' | 'unknown', timeout: number): Failed {
  const reason = `no progress within ${timeout} ms`;
  return unavailable({ outcome, cause: because({ code: 'unavailable', reason }) });
}

/** A read that was answered with what is no such record. */
export function malformed(error: unknown): Failed {
  const field = error instanceof TypeError ? error.message : '';
  // of what is more than a field there is no more to say
  const issues = memberName.test(field) ? { issues: [{ path: [field], code: 'malformed' }] } : {};
  return refused(because({ code: 'malformed_answer', ...issues }));
}

function refused(cause: UpstreamFailure, outcome: 'none' | 'unknown' = 'none'): Failed {
  return unavailable({ outcome, retryable: false, cause });
}

function because(failure: UpstreamFailure): UpstreamFailure {
  return Object.freeze(failure);
}

const memberName = /^[a-z][a-z_]{0,39}$/;

/** A service of another make may write anything there: what is no name is not repeated. */
function issueOf({ path, code }: { readonly path: readonly string[]; readonly code: string }) {
  return {
    path: path.map((step) => (memberName.test(step) ? step : '?')),
    code: memberName.test(code) ? code : '?',
  };
}
