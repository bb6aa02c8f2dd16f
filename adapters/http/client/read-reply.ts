import {
  type Aborted,
  describeError,
  type ErrorCode,
  type Issue,
  type Language,
  type Outcome,
  type PreconditionReason,
  type TransportError,
  type Unavailable,
} from 'dealwright';
import { type Err, err, ok, type Result } from 'neverthrow';
import { answers } from '../wire/answers.js';
import type { OperationError, Route } from '../wire/routes.js';
import type { NoReply, Reply } from './exchange.js';
import type { AbortSignalLike } from './fetch-like.js';
import { asMembers, readAs } from './read-answers.js';

/** Every error of any call; which of them a call has is in its row. */
export type AnyError = OperationError | TransportError;

/** An error that is no more than its code and its message. */
export interface PlainError<C extends ErrorCode> {
  readonly code: C;
  readonly message: string;
}

/** How the call was made, as far as an error has to know. */
export interface CallFacts {
  readonly route: Route;
  readonly language: Language;
  /** Whether the caller gave a key; one that the client made has never been used before. */
  readonly hasOwnKey: boolean;
  /** What no error may repeat. */
  readonly secret: string;
  /** What paths stand under. */
  readonly base: string;
}

/** The result that a reply means: the interface's, or the nearest error where it is a foreign one. */
export function readReply(
  reply: Reply | NoReply,
  facts: CallFacts,
  unsaid?: string,
): Result<unknown, AnyError> {
  if ('sent' in reply) {
    const { sent, reason, retryable = true } = reply;
    return err(unavailable(facts, sent, { retryable, cause: reason }));
  }
  const { status, body } = reply;
  if (status !== 200 && status !== 201) return err(readError(reply, facts, unsaid));
  // the service did something, but what it answered is lost
  if (body === 'cut_off') return err(unavailable(facts, true, { cause: 'the connection failed' }));
  const answer = membersOf(body);
  const shape = answers[facts.route.operation];
  const value = answer?.['success'] === false ? undefined : readAs(shape, answer?.['data']);
  return value === undefined ? err(unexpected(facts, status, undefined)) : ok(value);
}

function readError(
  { status, retryAfter, body }: Reply,
  facts: CallFacts,
  unsaid: string | undefined,
): AnyError {
  const { errors, input }: Route = facts.route;
  const said = membersOf(body);
  const problem = said ?? {};
  const code = problem['code'];
  const plain = <const C extends ErrorCode>(own: C): PlainError<C> =>
    plainError(own, facts, code === own ? problem['detail'] : undefined);
  const wait = retryAfter === undefined ? {} : { retryAfter };

  switch (status) {
    case 400: {
      const own = errors.find((each) => each === code);
      if (own === 'validation_failed') {
        const issues = readIssues(problem['errors'], facts, unsaid);
        if (issues !== undefined) return Object.freeze({ ...plain(own), errors: issues });
      }
      if (own === 'invalid_idempotency_key' || own === 'invalid_cursor') return plain(own);
      break;
    }
    case 401:
      return plain('unauthorized');
    case 404:
      // a page of text is that of a proxy, or of another service at a wrong address
      if (said && /id|file/.test(input)) return plain('not_found');
      break;
    case 409: {
      const own = errors.find(isConflict);
      if (own === 'precondition_failed') {
        const { reason } = problem;
        if (isReason(reason)) return Object.freeze({ ...plain(own), reason });
      } else if (own !== undefined) return plain(own);
      break;
    }
    case 413:
      if (input === 'file') {
        const max_bytes = problem['max_bytes'];
        return Object.freeze({
          ...plain('payload_too_large'),
          ...(Number.isSafeInteger(max_bytes) ? { max_bytes: Number(max_bytes) } : {}),
        });
      }
      break;
    case 422:
      // without a key of the caller's, or our word for it, it means something that we cannot know
      if (facts.hasOwnKey || (code === 'idempotency_key_reused' && errors.includes(code))) {
        return plain('idempotency_key_reused');
      }
      break;
    case 429:
      return Object.freeze({ ...plain('rate_limited'), ...wait });
    default:
      if (status >= 500) {
        return unavailable(facts, problem['outcome'] !== 'none', {
          message: plain('unavailable').message,
          retryable: status >= 502 && status <= 504,
          cause: `status ${status}`,
          ...wait,
        });
      }
  }
  return unexpected(facts, status, code);
}

function membersOf(body: Reply['body']) {
  return typeof body === 'string' ? undefined : asMembers(body.json);
}

function isConflict(
  code: ErrorCode,
): code is 'contractor_exists' | 'deal_exists' | 'precondition_failed' {
  return code.endsWith('_exists') || code === 'precondition_failed';
}

function isReason(value: unknown): value is PreconditionReason {
  return value === 'stage_closed';
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
  const url = facts.base + facts.route.path;
  const named = typeof problem === 'string' && /^[a-z_]{1,64}$/.test(problem);
  return Object.freeze({
    ...plainError('unexpected_response', facts),
    status,
    ...(isFit(url, facts.secret) ? { url } : {}),
    ...(named && isFit(problem, facts.secret) ? { problem } : {}),
  });
}

function unavailable(
  facts: CallFacts,
  mayHaveActed: boolean,
  failure: Partial<Unavailable>,
): Unavailable {
  return Object.freeze({
    ...plainError('unavailable', facts),
    port: 'transport',
    outcome: outcomeOf(facts, mayHaveActed),
    retryable: true,
    ...failure,
  });
}

/** A read never has an effect. */
function outcomeOf({ route }: CallFacts, mayHaveActed: boolean): Outcome {
  return mayHaveActed && route.method === 'POST' ? 'unknown' : 'none';
}

const unreadableTexts: Readonly<Record<Language, string>> = {
  en: 'could not be read to the end',
  pl: 'nie udało się odczytać do końca',
};

/** The issues of a validation error, exactly as they are in process, or nothing. */
function readIssues(
  errors: unknown,
  { secret }: CallFacts,
  unsaid: string | undefined,
): readonly Issue[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  const issues: Issue[] = [];
  for (const each of errors) {
    const { path, code, message, params } = asMembers(each) ?? {};
    const isPath = Array.isArray(path) && path.every((step) => isFit(step, secret));
    if (!isPath || !isFit(code, secret) || !isFit(message, secret)) return undefined;
    let figures = asMembers(params) ?? {};
    try {
      const escaped = JSON.stringify(secret).slice(1, -1);
      if (!isFit(JSON.stringify(figures), escaped)) return undefined;
    } catch {
      figures = {}; // too deep to be passed on
    }
    // a code that this version does not know yet is an issue too: its message says what is wrong
    issues.push(Object.freeze({ path, code, message, params: figures }) as Issue);
  }
  const said = issues.filter(({ path }) => path[0] !== unsaid);
  return Object.freeze(said.length > 0 ? said : issues);
}

/** The error of a call that was aborted. */
export function aborted(
  facts: CallFacts,
  mayHaveActed: boolean,
  signal: AbortSignalLike | undefined,
): AnyError {
  return Object.freeze({
    ...plainError('aborted', facts),
    outcome: outcomeOf(facts, mayHaveActed),
    ...causeOf(signal?.reason, facts),
  });
}

/** A reason in words: as data it may hold anything, the token too. */
function causeOf(reason: unknown, { secret }: CallFacts): Pick<Aborted, 'cause'> {
  try {
    const cause = String(reason);
    return reason !== undefined && isFit(cause, secret) ? { cause } : {};
  } catch {
    return {}; // it has no words
  }
}

/** The id by which the service knows a request, where its answer says one that is fit to show. */
export function requestIdOf(
  reply: Reply | NoReply,
  { secret }: CallFacts,
): { readonly request_id?: string } {
  if ('sent' in reply) return {};
  const { requestId, body } = reply;
  for (const request_id of [requestId, membersOf(body)?.['request_id']]) {
    if (isFit(request_id, secret) && /^[\w.~-]{1,128}$/.test(request_id)) return { request_id };
  }
  return {};
}

/** The error of a file whose content ended in an error of its own. */
export function unreadable(facts: CallFacts, reason: unknown): Err<never, AnyError> {
  const message = unreadableTexts[facts.language];
  const issue: Issue = { path: ['content'], code: 'unreadable', message, params: {} };
  const errors = Object.freeze([Object.freeze(issue)]);
  const plain = plainError('validation_failed', facts);
  const { cause } = causeOf(reason, facts);
  const said = cause === undefined ? {} : { message: `${plain.message} ${cause}`, cause };
  return err(Object.freeze({ ...plain, ...said, errors }));
}

/** The last error of a call of which an earlier attempt may have had its effect. */
export function afterSilence(error: AnyError, facts: CallFacts): AnyError {
  switch (error.code) {
    case 'unavailable':
      return Object.freeze({ ...error, outcome: 'unknown' as const });
    case 'rate_limited':
      // this attempt was refused, but the call may have had its effect
      return unavailable(facts, true, { ...error, code: 'unavailable', cause: 'status 429' });
    default:
      return Object.freeze({ ...error, afterRetry: true });
  }
}

/** Text without the secret in it; one that is shorter is no secret, and would be found anywhere. */
export function isFit(text: unknown, secret: string): text is string {
  return typeof text === 'string' && (secret.length < 8 || !text.includes(secret));
}
