import {
  describeError,
  type ErrorCode,
  type IllegalTransition,
  type Issue,
  type Language,
  type Outcome,
  type PreconditionReason,
  type Resource,
} from 'dealwright';

/** The errors of a request that is not yet a call, and of a service that failed. */
const ownTexts = {
  invalid_json: {
    en: 'The body is missing, or is not JSON in UTF-8.',
    pl: 'Treść żądania nie jest poprawnym JSON-em w kodowaniu UTF-8 albo jej brakuje.',
  },
  incomplete_body: {
    en: 'The body broke off before its end.',
    pl: 'Treść żądania urwała się przed końcem.',
  },
  method_not_allowed: {
    en: 'This path does not allow this method; see the header Allow.',
    pl: 'Ta ścieżka nie obsługuje tej metody; dozwolone podaje nagłówek Allow.',
  },
  unsupported_media_type: {
    en: 'The body must be JSON in UTF-8 (application/json), or for a file also a form (multipart/form-data), without a content encoding.',
    pl: 'Treść żądania musi być JSON-em w UTF-8 (application/json), a dla pliku może też być formularzem (multipart/form-data), bez kodowania Content-Encoding.',
  },
  range_not_satisfiable: {
    en: 'The file does not have these bytes; see the header Content-Range.',
    pl: 'Plik nie zawiera tych bajtów; jego rozmiar podaje nagłówek Content-Range.',
  },
  internal: {
    en: 'An error occurred in the service.',
    pl: 'Wystąpił błąd po stronie usługi.',
  },
} satisfies Record<string, Record<Language, string>>;

type OwnCode = keyof typeof ownTexts;

/** The error codes in the answers of a service (decision 5.1). */
export type WireErrorCode = Exclude<ErrorCode, 'unexpected_response' | 'aborted'> | OwnCode;

/** The sentence for `unauthorized` if a session was not asked for. */
const foreign: Readonly<Record<Language, string>> = {
  en: 'The token is missing, and a session does not count for a change that comes from another origin: the header Origin must name the host of the request, as the service sees it. A proxy has to hand on the header Host (nginx: proxy_set_header Host $http_host).',
  pl: 'Brakuje tokenu, a sesja nie wystarcza do zmiany z innego źródła: nagłówek Origin musi wskazywać host żądania widziany przez usługę. Serwer pośredniczący musi przekazywać nagłówek Host (nginx: proxy_set_header Host $http_host).',
};

/** The sentence for an error code of the core or of the wire. */
export function describeProblem(
  code: ErrorCode | OwnCode,
  language: Language,
  resource?: Resource,
): string {
  return isOwn(code) ? ownTexts[code][language] : describeError(code, language, resource);
}

function isOwn(code: string): code is OwnCode {
  return Object.hasOwn(ownTexts, code);
}

/** The HTTP status of each error (decision 5.2). */
export const statuses = {
  invalid_json: 400,
  incomplete_body: 400,
  validation_failed: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  contractor_exists: 409,
  deal_exists: 409,
  illegal_transition: 409,
  precondition_failed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  invalid_idempotency_key: 400,
  invalid_cursor: 400,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
} satisfies Record<WireErrorCode, number>;

/** An error before it becomes an answer. */
export interface Problem {
  readonly code: WireErrorCode;
  readonly errors?: readonly Issue[] | undefined;
  /** Whether the call may have had its effect, if that is in doubt. */
  readonly outcome?: Outcome | undefined;
  /** Bytes that a body may have, if this one has more. */
  readonly maxBytes?: number | undefined;
  /** Says that the session of the host did not count, because the request is of another origin. */
  readonly isForeign?: boolean | undefined;
  /** The kind of resource that was not found. */
  readonly resource?: Resource | undefined;
  /** Why the deal does not allow it now. */
  readonly reason?: PreconditionReason | undefined;
  /** The state of the deal and its legal commands, if this command is not one of them. */
  readonly known?:
    | Pick<IllegalTransition, 'deal_status' | 'freelancer_status' | 'legal' | 'proposal_status'>
    | undefined;
}

/** The body of an error: the members of RFC 9457 and our own (decision 5.1). */
export function problemBody(
  { code, errors, outcome, maxBytes, isForeign, resource, reason, known }: Problem,
  requestId: string,
  language: Language,
  isVersion1: boolean,
): string {
  // JSON leaves undefined members out; spreading them in would cost several times as much
  return JSON.stringify({
    success: isVersion1 ? false : undefined,
    type: `urn:dealwright:error:${code}`,
    title: titles[code],
    status: statuses[code],
    detail: isForeign === true ? foreign[language] : describeProblem(code, language, resource),
    instance: `urn:dealwright:request:${requestId}`,
    code,
    request_id: requestId,
    outcome,
    max_bytes: maxBytes,
    // 1.0 gets no new members: its detail names the resource
    resource: isVersion1 ? undefined : resource,
    reason,
    deal_status: known?.deal_status,
    freelancer_status: known?.freelancer_status,
    legal: known?.legal,
    proposal_status: known?.proposal_status,
    errors,
  });
}

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ').replace('json', 'JSON');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const titles = Object.fromEntries(
  Object.keys(statuses).map((code) => [code, titleOf(code)]),
) as Readonly<Record<WireErrorCode, string>>;
