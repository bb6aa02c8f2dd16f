import { type PortFailure, unavailable } from 'dealwright/ports';

/**
 * Why an S3 service did not do what it was asked.
 */
export type S3FailureReason =
  | 'network'
  | 'timed_out'
  | 'status'
  | 'redirected'
  | 'malformed_answer';

/**
 * The `cause` of a failure of an S3 store, and of the error that reading a content throws. It holds
 * no key, no secret and no address.
 */
export interface S3Failure {
  readonly reason: S3FailureReason;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** The service's own code for the error, where it gave one: letters. */
  readonly s3Code?: string;
  /** Seconds, as the service asked for. */
  readonly retryAfter?: number;
}

/** As a port says it; `effect` is what a request can have done whose answer is not known. */
export function failed(failure: S3Failure, effect: PortFailure['outcome']) {
  const { retryAfter, ...known } = failure;
  return unavailable({
    outcome: isDecided(failure) ? 'none' : effect,
    retryable: isPassing(failure),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: Object.freeze(known),
  });
}

/** Whether the service said that it did not do it: then it did not. */
function isDecided({ reason, status = 0 }: S3Failure): boolean {
  return reason === 'redirected' || (reason === 'status' && status >= 300 && status < 500);
}

/** Whether the same request may go well later. An error after a status of 200 is one of theirs. */
function isPassing({ reason, status = 0 }: S3Failure): boolean {
  if (reason === 'status')
    return status === 429 || status === 408 || status >= 500 || status === 200;
  return reason === 'network' || reason === 'timed_out';
}
