import {
  type Aborted,
  describeError,
  type ErrorCode,
  type Issue,
  type Language,
  type NotFound,
  type Outcome,
  type PreconditionReason,
  type Resource,
  type TransportError,
  type Unavailable,
} from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import type { OperationError, Route } from '../wire/route.js';
import type { NoReply, Reply } from './exchange.js';
import { asMembers, type Members, readAs } from './read-answers.js';
import type { Call } from './settings.js';

/** Every error of any call; the route of a call lists its own. */
export type AnyError = OperationError | TransportError;

/** An error with only a code and a message. */
interface PlainError<C extends ErrorCode> {
  readonly code: C;
  readonly message: string;
}

/** The result of a reply: that of the interface, or the nearest error for a foreign reply. */
export function readReply(
  reply: Reply | NoReply,
  call: Call,
  unsaid: string | undefined,
): Result<unknown, AnyError> {
  if ('sent' in reply) return err(unanswered(call, reply));
  const { status, said, isCutOff } = reply;
  if (status !== 200 && status !== 201) return err(readError(reply, call, unsaid));
  // the service acted, but its answer is lost
  if (isCutOff) return err(unavailable(call, true, { cause: 'the connection failed' }));
  const shape = call.route.answer;
  if (shape === 'file') {
    return reply.file === undefined ? err(unexpected(call, status, undefined)) : ok(reply.file);
  }
  const value = said?.['success'] === false ? undefined : readAs(shape, said?.['data']);
  return value === undefined ? err(unexpected(call, status, undefined)) : ok(value);
}

/** The error of a call without an answer. */
export function unanswered(call: Call, { sent, reason, retryable = true }: NoReply): AnyError {
  return unavailable(call, sent, { retryable, cause: reason });
}

function readError(
  { status, retryAfter, said }: Reply,
  call: Call,
  unsaid: string | undefined,
): AnyError {
  const { path, errors, input }: Route = call.route;
  const { code, detail, outcome, max_bytes, errors: issuesSaid } = said ?? {};
  const plain = <const C extends ErrorCode>(own: C): PlainError<C> =>
    plainError(own, call, code === own ? detail : undefined);
  const wait = retryAfter === undefined ? {} : { retryAfter };

  switch (status) {
    case 400: {
      const own = errors.find((each) => each === code);
      if (own === 'validation_failed') {
        const issues = readIssues(issuesSaid, call, unsaid);
        if (issues !== undefined) return { ...plain(own), errors: issues };
      }
      if (own === 'invalid_idempotency_key' || own === 'invalid_cursor') return plain(own);
      break;
    }
    case 401:
      return plain('unauthorized');
    case 404:
      // a page of text comes from a proxy, or from another service at a wrong address
      if (said && (path.includes('{') || (code === 'not_found' && errors.includes(code)))) {
        return notFound(call, said);
      }
      break;
    case 409: {
      const conflict = readConflict(said, errors, plain);
      if (conflict !== undefined) return conflict;
      break;
    }
    case 413:
      if (input === 'file') {
        const limit = Number.isSafeInteger(max_bytes) ? { max_bytes: Number(max_bytes) } : {};
        return { ...plain('payload_too_large'), ...limit };
      }
      break;
    case 422:
      // without a key of the caller or our code, the meaning of the status is unknown
      if (call.key !== undefined || (code === 'idempotency_key_reused' && errors.includes(code))) {
        return plain('idempotency_key_reused');
      }
      break;
    case 429:
      return { ...plain('rate_limited'), ...wait };
    default:
      if (status >= 500) {
        return unavailable(call, outcome !== 'none', {
          message: plain('unavailable').message,
          retryable: status >= 502 && status <= 504,
          cause: `status ${status}`,
          ...wait,
        });
      }
  }
  return unexpected(call, status, code);
}

/** The kinds of resources, by the last name of a path. */
const resources: Partial<Readonly<Record<string, Resource>>> = {
  id: 'deal',
  partner_id: 'deal',
  proposal_id: 'proposal',
  file_id: 'work_file',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
};

/** The error `not_found`: its resource is that of the service, or else that of the path. */
export function notFound(call: Call, { detail, resource }: Members = {}): NotFound {
  const [, name = ''] = /\{(\w+)\}[^{]*$/.exec(call.route.path) ?? [];
  // a later version may have other resources
  const isNamed = isFit(resource, call) && /^[a-z_]{1,64}$/.test(resource);
  const missing = isNamed ? (resource as Resource) : resources[name];
  const code = 'not_found';
  const message = isFit(detail, call) ? detail : describeError(code, call.language, missing);
  return { code, message, ...(missing && { resource: missing }) };
}

/** The conflict: a record that exists already, or the state of the deal. */
function readConflict(
  said: Members | undefined,
  errors: Route['errors'],
  plain: <const C extends ErrorCode>(own: C) => PlainError<C>,
): AnyError | undefined {
  const exists = errors.find((each) => each === 'contractor_exists' || each === 'deal_exists');
  if (exists !== undefined) return plain(exists);
  const { code, reason } = said ?? {};
  if (code === 'illegal_transition' && errors.includes(code)) {
    const known = readAs(transition, said);
    return known === undefined ? undefined : ({ ...plain(code), ...known } as AnyError);
  }
  const isKnown = code === undefined || code === 'precondition_failed';
  if (!isKnown || !errors.includes('precondition_failed') || typeof reason !== 'string') {
    return undefined;
  }
  // a reason of a later version is passed on
  return { ...plain('precondition_failed'), reason: reason as PreconditionReason };
}

const transition = {
  deal_status: 'text',
  freelancer_status: 'text',
  legal: ['text'],
  proposal_status: 'text or nothing',
} as const;

/** The settings of a call that an error needs; text with the token is never repeated. */
interface Told {
  readonly language: Language;
  readonly settings: { readonly token: string };
}

/** An error of this code; its message is that of the service, if it is safe to show. */
export function plainError<const C extends ErrorCode>(
  code: C,
  call: Told,
  detail?: unknown,
): PlainError<C> {
  return { code, message: isFit(detail, call) ? detail : describeError(code, call.language) };
}

function unexpected(call: Call, status: number, problem: unknown): AnyError {
  const url = call.settings.base + call.route.path;
  const isNamed = isFit(problem, call) && /^[a-z_]{1,64}$/.test(problem);
  return {
    ...plainError('unexpected_response', call),
    status,
    ...(isFit(url, call) ? { url } : {}),
    ...(isNamed ? { problem } : {}),
  };
}

function unavailable(
  call: Call,
  mayHaveActed: boolean,
  failure: Partial<Unavailable>,
): Unavailable {
  return {
    ...plainError('unavailable', call),
    port: 'transport',
    outcome: outcomeOf(call, mayHaveActed),
    retryable: true,
    ...failure,
  };
}

/** A read never has an effect. */
function outcomeOf({ route }: Call, mayHaveActed: boolean): Outcome {
  return mayHaveActed && route.method !== 'GET' ? 'unknown' : 'none';
}

/** The issues of a validation error, exactly as in process, or `undefined`. */
function readIssues(
  errors: unknown,
  call: Call,
  unsaid: string | undefined,
): readonly Issue[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  const issues: Issue[] = [];
  for (const each of errors) {
    const { path, code, message, params } = asMembers(each) ?? {};
    const isPath = Array.isArray(path) && path.every((step) => isFit(step, call));
    if (!isPath || !isFit(code, call) || !isFit(message, call)) return undefined;
    let figures = asMembers(params) ?? {};
    try {
      const escaped = JSON.stringify(call.settings.token).slice(1, -1);
      if (!isFit(JSON.stringify(figures), { settings: { token: escaped } })) return undefined;
    } catch {
      figures = {}; // too deep to be passed on
    }
    // a code of a later version is an issue too: its message says what is wrong
    issues.push(Object.freeze({ path, code, message, params: figures }) as Issue);
  }
  const said = issues.filter(({ path }) => path[0] !== unsaid);
  return Object.freeze(said.length > 0 ? said : issues);
}

/** The error of a call that was aborted. */
export function aborted(call: Call, mayHaveActed: boolean): AnyError {
  return {
    ...plainError('aborted', call),
    outcome: outcomeOf(call, mayHaveActed),
    ...causeOf(call.signal?.reason, call),
  };
}

/** A reason in words: as data it may hold anything, even the token. */
function causeOf(reason: unknown, call: Call): Pick<Aborted, 'cause'> {
  try {
    const cause = String(reason);
    return reason !== undefined && isFit(cause, call) ? { cause } : {};
  } catch {
    return {}; // it has no words
  }
}

/** The service's id of a request: the first one that is safe to show. */
export function idOf(call: Call, ...ids: readonly unknown[]): { readonly request_id?: string } {
  const isSound = (id: unknown): id is string => isFit(id, call) && /^[\w.~-]{1,128}$/.test(id);
  const request_id = ids.find(isSound);
  return request_id === undefined ? {} : { request_id };
}

const unreadableTexts: Readonly<Record<Language, string>> = {
  en: 'could not be read to the end',
  pl: 'nie udało się odczytać do końca',
};

/** The error of a file whose content failed. */
export function unreadable(call: Call, reason: unknown): AnyError {
  const message = unreadableTexts[call.language];
  const issue: Issue = { path: ['content'], code: 'unreadable', message, params: {} };
  const errors = Object.freeze([Object.freeze(issue)]);
  const plain = plainError('validation_failed', call);
  const { cause } = causeOf(reason, call);
  const said = cause === undefined ? {} : { message: `${plain.message} ${cause}`, cause };
  return { ...plain, ...said, errors };
}

/** The last error of a call, if an earlier attempt may have had its effect. */
export function afterSilence(error: AnyError, call: Call): AnyError {
  switch (error.code) {
    case 'unavailable':
      return { ...error, outcome: 'unknown' };
    case 'rate_limited':
      // this attempt was refused, but the call may have had its effect
      return unavailable(call, true, { ...error, code: 'unavailable', cause: 'status 429' });
    default:
      return { ...error, afterRetry: true };
  }
}

/** Text without the token; a token of under 8 characters is no secret and may occur by chance. */
function isFit(text: unknown, { settings: { token } }: Pick<Told, 'settings'>): text is string {
  return typeof text === 'string' && (token.length < 8 || !text.includes(token));
}
