import {
  type ContractorRegistered,
  type DealCreated,
  type DealStatus,
  type DealV2Created,
  describeError,
  type ErrorCode,
  type FreelancerStatus,
  type IdempotencyKeyReused,
  type InvalidIdempotencyKey,
  type Issue,
  type Language,
  type TransportError,
  type Unavailable,
  type ValidationFailed,
} from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import type { NoReply, Reply } from './exchange.js';

/** What every operation can answer instead of a result. */
export type CommonError =
  | InvalidIdempotencyKey
  | ValidationFailed
  | IdempotencyKeyReused
  | Unavailable
  | TransportError;

/** An error that is no more than its code and its message. */
export interface PlainError<C extends ErrorCode> {
  readonly code: C;
  readonly message: string;
}

/** What a reply is read with. */
export interface Reading<T, Conflict extends ErrorCode> {
  /** What the operation's 409 says, whoever sends it. */
  readonly conflict: Conflict;
  /** The `data` of a success, or nothing where it is of another shape. */
  readonly readData: (data: Readonly<Record<string, unknown>>) => T | undefined;
}

/** How the call was made, as far as an error has to know. */
export interface CallFacts {
  readonly language: Language;
  readonly hasKey: boolean;
  /** What no error may repeat. */
  readonly secret: string;
}

type Members = Readonly<Record<string, unknown>>;

/** The result that a reply means: the interface's, or the nearest error where it is a foreign one. */
export function readReply<T, Conflict extends ErrorCode>(
  reply: Reply | NoReply,
  reading: Reading<T, Conflict>,
  facts: CallFacts,
): Result<T, PlainError<Conflict> | CommonError> {
  if ('sent' in reply) {
    const { sent, reason, retryable = true } = reply;
    const outcome = sent ? 'unknown' : 'none';
    return err(unavailable(facts, { outcome, retryable, cause: reason }));
  }
  const { status, body } = reply;
  if (status !== 200 && status !== 201) return err(readError(reply, reading.conflict, facts));
  // the service did something, but what it answered is lost
  if (body === 'cut_off') {
    return err(unavailable(facts, { outcome: 'unknown', cause: 'the connection failed' }));
  }
  const answer = body === 'unreadable' ? undefined : asMembers(body.json);
  const data = answer?.['success'] === false ? undefined : asMembers(answer?.['data']);
  const value = data && reading.readData(data);
  return value === undefined ? err(unexpected(facts, status, undefined)) : ok(value);
}

function readError<Conflict extends ErrorCode>(
  { status, retryAfter, body }: Reply,
  conflict: Conflict,
  facts: CallFacts,
): PlainError<Conflict> | CommonError {
  const problem = typeof body === 'string' ? {} : (asMembers(body.json) ?? {});
  const code = problem['code'];
  const plain = <const C extends ErrorCode>(own: C): PlainError<C> =>
    plainError(own, facts, code === own ? problem['detail'] : undefined);
  const wait = retryAfter === undefined ? {} : { retryAfter };

  switch (status) {
    case 400: {
      const errors =
        code === 'validation_failed' ? readIssues(problem['errors'], facts) : undefined;
      if (errors !== undefined) return Object.freeze({ ...plain('validation_failed'), errors });
      return code === 'invalid_idempotency_key' ? plain(code) : unexpected(facts, status, code);
    }
    case 401:
      return plain('unauthorized');
    case 409:
      return plain(conflict);
    case 422:
      // without a key, or our word for it, it means something that we cannot know
      return facts.hasKey || code === 'idempotency_key_reused'
        ? plain('idempotency_key_reused')
        : unexpected(facts, status, code);
    case 429:
      return Object.freeze({ ...plain('rate_limited'), ...wait });
    default:
      if (status < 500) return unexpected(facts, status, code);
      return unavailable(facts, {
        message: plain('unavailable').message,
        outcome: problem['outcome'] === 'none' ? 'none' : 'unknown',
        retryable: status >= 502 && status <= 504,
        cause: `status ${status}`,
        ...wait,
      });
  }
}

/** An error of this code; its message is the service's own, where it says one that is fit to show. */
export function plainError<const C extends ErrorCode>(
  code: C,
  { language, secret }: Pick<CallFacts, 'language' | 'secret'>,
  detail?: unknown,
): PlainError<C> {
  const message = isFit(detail, secret) ? detail : describeError(code, language);
  return Object.freeze({ code, message });
}

function unexpected(facts: CallFacts, status: number, problem: unknown) {
  const named = typeof problem === 'string' && /^[a-z_]{1,64}$/.test(problem);
  return Object.freeze({
    ...plainError('unexpected_response', facts),
    status,
    ...(named && isFit(problem, facts.secret) ? { problem } : {}),
  });
}

function unavailable(
  facts: CallFacts,
  failure: Partial<Unavailable> & Pick<Unavailable, 'outcome'>,
): Unavailable {
  return Object.freeze({
    ...plainError('unavailable', facts),
    port: 'transport',
    retryable: true,
    ...failure,
  });
}

/** The issues of a validation error, exactly as they are in process, or nothing. */
function readIssues(errors: unknown, { secret }: CallFacts): readonly Issue[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  const issues: Issue[] = [];
  for (const each of errors) {
    const { path, code, message, params } = asMembers(each) ?? {};
    const isPath = Array.isArray(path) && path.every((step) => isFit(step, secret));
    if (!isPath || !isFit(code, secret) || !isFit(message, secret)) return undefined;
    if (!isFit(JSON.stringify(params ?? {}), JSON.stringify(secret).slice(1, -1))) return undefined;
    // a code that this version does not know yet is an issue too: its message says what is wrong
    issues.push(Object.freeze({ path, code, message, params: asMembers(params) ?? {} }) as Issue);
  }
  return Object.freeze(issues);
}

/** Text without the secret in it; one that is shorter is no secret, and would be found anywhere. */
function isFit(text: unknown, secret: string): text is string {
  return typeof text === 'string' && (secret.length < 8 || !text.includes(secret));
}

function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

/** The `data` of a registered contractor. */
export function readContractorRegistered({
  contractor_email,
}: Members): ContractorRegistered | undefined {
  return typeof contractor_email === 'string' ? { contractor_email } : undefined;
}

/** The `data` of a created 1.0 deal. */
export function readDealCreated({ id, stage_ids }: Members): DealCreated | undefined {
  return isInteger(id) && Array.isArray(stage_ids) && stage_ids.every(isInteger)
    ? { id, stage_ids }
    : undefined;
}

/** The `data` of a created 2.0 deal. */
export function readDealV2Created(data: Members): DealV2Created | undefined {
  const { payment_token, status, freelancer_status } = data;
  return typeof payment_token === 'string' &&
    isOneOf(dealStatuses, status) &&
    isOneOf(freelancerStatuses, freelancer_status)
    ? { payment_token, freelancer_status, status }
    : undefined;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isOneOf<T extends string>(all: Readonly<Record<T, true>>, value: unknown): value is T {
  return typeof value === 'string' && Object.hasOwn(all, value);
}

const dealStatuses: Readonly<Record<DealStatus, true>> = {
  created: true,
  accepted: true,
  delivered: true,
  changes_requested: true,
  approved: true,
  completed: true,
  disputed: true,
  cancelled: true,
  expired: true,
};

const freelancerStatuses: Readonly<Record<FreelancerStatus, true>> = {
  new: true,
  invited: true,
  accepted: true,
  declined: true,
  expired: true,
  removed: true,
  finished: true,
};
