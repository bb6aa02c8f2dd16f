import type { Finding, Issue, IssueCode, IssueParams } from '../values/issues.js';
import type { ErrorCode, NotFound, Resource, WithMessage } from './errors.js';

/** The languages of messages and names: the interface's own two (decision 1.8). */
export type Language = 'en' | 'pl';

type Texts<C extends IssueCode> = Readonly<
  Record<Language, string | ((params: IssueParams[C]) => string)>
>;

const oneOf: Texts<'not_allowed' | 'unknown_parameter'> = {
  en: ({ allowed }) => `must be one of: ${allowed.join(', ')}`,
  pl: ({ allowed }) => `dozwolone wartości: ${allowed.join(', ')}`,
};

const issueTexts = {
  required: { en: 'is required', pl: 'jest wymagane' },
  null_not_allowed: {
    en: 'must not be null; leave an optional member out instead',
    pl: 'nie może mieć wartości null; pole opcjonalne należy pominąć',
  },
  wrong_type: {
    en: ({ expected }) =>
      `must be ${{ object: 'an object', string: 'a string', integer: 'an integer', boolean: 'true or false', list: 'a list', content: 'bytes, or text in base64' }[expected]}`,
    pl: ({ expected }) =>
      `musi być ${{ object: 'obiektem', string: 'tekstem', integer: 'liczbą całkowitą', boolean: 'wartością true lub false', list: 'listą', content: 'ciągiem bajtów albo tekstem w base64' }[expected]}`,
  },
  malformed_text: {
    en: 'must be well-formed Unicode, without a lone surrogate',
    pl: 'musi być poprawnym tekstem Unicode, bez pojedynczych surogatów',
  },
  forbidden_character: {
    en: 'must not contain the character U+0000',
    pl: 'nie może zawierać znaku U+0000',
  },
  too_short: {
    en: ({ min }) => `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`,
    pl: ({ min }) => `minimalna liczba znaków: ${min}`,
  },
  too_long: {
    en: ({ max }) => `must have at most ${max} characters`,
    pl: ({ max }) => `maksymalna liczba znaków: ${max}`,
  },
  wrong_length: {
    en: ({ length }) => `must have exactly ${length} characters`,
    pl: ({ length }) => `wymagana liczba znaków: ${length}`,
  },
  invalid_email: {
    en: 'must be an e-mail address such as user@example.com',
    pl: 'musi być adresem e-mail, na przykład user@example.com',
  },
  email_local_part_too_long: {
    en: ({ max }) => `must have at most ${max} characters before the @`,
    pl: ({ max }) => `maksymalna liczba znaków przed znakiem @: ${max}`,
  },
  not_allowed: oneOf,
  unknown_country: {
    en: 'must be an ISO 3166-1 alpha-2 country code in upper case, or XK',
    pl: 'musi być kodem kraju ISO 3166-1 alfa-2 zapisanym wielkimi literami albo XK',
  },
  unknown_currency: {
    en: 'must be an ISO 4217 currency code in use, in upper case',
    pl: 'musi być używanym kodem waluty ISO 4217 zapisanym wielkimi literami',
  },
  invalid_decimal: {
    en: (params) =>
      `must be a decimal number in a string, with at most ${params.max_integer_digits} digits before and ${params.max_fraction_digits} after the decimal point`,
    pl: (params) =>
      `musi być liczbą dziesiętną zapisaną jako tekst; cyfr przed kropką najwyżej ${params.max_integer_digits}, po kropce najwyżej ${params.max_fraction_digits}`,
  },
  too_fine: {
    en: ({ unit }) => `must be a multiple of ${unit}, the smallest amount of this currency`,
    pl: ({ unit }) => `musi być wielokrotnością ${unit}, najmniejszej kwoty w tej walucie`,
  },
  not_positive: { en: 'must be greater than zero', pl: 'musi być większe od zera' },
  not_negative: { en: 'must not be less than zero', pl: 'nie może być mniejsze od zera' },
  not_an_integer: { en: 'must be an integer', pl: 'musi być liczbą całkowitą' },
  out_of_range: {
    en: ({ min, max }) => `must be between ${min} and ${max}`,
    pl: ({ min, max }) => `musi mieścić się w zakresie od ${min} do ${max}`,
  },
  unknown_subcategory: {
    en: 'must be the id of a subcategory of the category tree',
    pl: 'musi być identyfikatorem podkategorii z drzewa kategorii',
  },
  unknown_contractor: {
    en: 'must be the e-mail address of a registered contractor',
    pl: 'musi być adresem e-mail zarejestrowanego wykonawcy',
  },
  unknown_stage: {
    en: 'must be the id of a stage of this deal',
    pl: 'musi być identyfikatorem etapu tego zlecenia',
  },
  unknown_payment: {
    en: 'must be the id of a payment of this deal',
    pl: 'musi być identyfikatorem płatności tego zlecenia',
  },
  currency_mismatch: {
    en: 'must be the currency of the deal',
    pl: 'musi być walutą zlecenia',
  },
  secret_in_text: {
    en: 'must not contain the payment token of the deal',
    pl: 'nie może zawierać tokenu płatności zlecenia',
  },
  invalid_timestamp: {
    en: 'must be an RFC 3339 date and time such as 2026-01-31T12:00:00Z',
    pl: 'musi być datą i godziną według RFC 3339, na przykład 2026-01-31T12:00:00Z',
  },
  invalid_media_type: {
    en: 'must be a media type such as application/pdf',
    pl: 'musi być typem zawartości, na przykład application/pdf',
  },
  invalid_base64: {
    en: 'must be base64 with padding (RFC 4648)',
    pl: 'musi być zapisane w base64 według RFC 4648, z dopełnieniem',
  },
  too_deep: {
    en: ({ max }) => `must not nest objects and arrays deeper than ${max} levels`,
    pl: ({ max }) => `maksymalna głębokość zagnieżdżenia obiektów i tablic: ${max}`,
  },
  unknown_parameter: oneOf,
  malformed_form: {
    en: 'must be a complete multipart/form-data form',
    pl: 'musi być kompletnym formularzem multipart/form-data',
  },
  repeated: { en: 'must appear only once', pl: 'może wystąpić tylko raz' },
  unreadable: {
    en: 'could not be read to the end',
    pl: 'nie udało się odczytać do końca',
  },
  empty: { en: 'must not be empty', pl: 'nie może być puste' },
  too_many_stages: {
    en: ({ max }) => `must have at most ${max} stages`,
    pl: ({ max }) => `maksymalna liczba etapów: ${max}`,
  },
  refused_by_scanner: {
    en: 'was rejected by the file scanner',
    pl: 'zostało odrzucone podczas skanowania',
  },
  too_many_files: {
    en: ({ max }) => `exceeds the maximum of ${max} files`,
    pl: ({ max }) => `maksymalna liczba plików: ${max}`,
  },
  invalid_event_type: {
    en: 'must be visible ASCII characters without a comma, such as deal.created',
    pl: 'musi składać się z widocznych znaków ASCII bez przecinka, na przykład deal.created',
  },
  too_many_types: {
    en: ({ max }) => `must have at most ${max} types`,
    pl: ({ max }) => `maksymalna liczba typów: ${max}`,
  },
  too_many_webhooks: {
    en: ({ max }) => `cannot be added: a partner has at most ${max} webhooks`,
    pl: ({ max }) => `nie można dodać: partner może mieć najwyżej ${max} adresów`,
  },
  too_many_webhooks_of_host: {
    en: ({ max }) => `cannot be added: a partner has at most ${max} webhooks with one host name`,
    pl: ({ max }) => `nie można dodać: partner może mieć najwyżej ${max} adresów jednego hosta`,
  },
  port_not_allowed: {
    en: 'must name no port, or one that is allowed here',
    pl: 'nie może wskazywać portu albo musi wskazywać dozwolony port',
  },
  invalid_url: {
    en: 'must be a URL such as https://example.com/hooks',
    pl: 'musi być adresem URL, na przykład https://example.com/hooks',
  },
  https_required: {
    en: 'must begin with https: in production',
    pl: 'w środowisku produkcyjnym musi zaczynać się od https:',
  },
  address_not_allowed: {
    en: 'must name a public host, without a user name or a password',
    pl: 'musi wskazywać publiczny host, bez nazwy użytkownika i hasła',
  },
  blank: {
    en: 'must not consist of white space alone',
    pl: 'nie może składać się z samych białych znaków',
  },
  iban_unknown_country: {
    en: 'must begin with the code of a country that uses IBANs',
    pl: 'musi zaczynać się od kodu kraju, który używa numerów IBAN',
  },
  iban_wrong_length: {
    en: 'must have the length of an IBAN of its country',
    pl: 'musi mieć długość numeru IBAN właściwą dla kraju',
  },
  iban_wrong_format: {
    en: 'must have the format of an IBAN of its country, in upper case without spaces',
    pl: 'musi mieć format numeru IBAN właściwy dla kraju, wielkimi literami i bez spacji',
  },
  iban_wrong_checksum: {
    en: 'must have the check digits of an IBAN; a character may be mistyped',
    pl: 'musi mieć poprawną sumę kontrolną IBAN; sprawdź, czy nie ma literówki',
  },
  bic_wrong_length: {
    en: 'must have 8 or 11 characters',
    pl: 'musi mieć 8 albo 11 znaków',
  },
  bic_wrong_format: {
    en: 'must be a BIC (ISO 9362) in upper case: 4 letters or digits, a country, 2 and at most 3 more characters',
    pl: 'musi być kodem BIC (ISO 9362) wielkimi literami: 4 litery lub cyfry, kraj, 2 znaki i opcjonalnie 3 kolejne',
  },
  pesel_wrong_length: { en: 'must have 11 digits', pl: 'musi mieć 11 cyfr' },
  pesel_wrong_format: { en: 'must consist of digits', pl: 'musi składać się z samych cyfr' },
  pesel_wrong_date: {
    en: 'must begin with a date of birth',
    pl: 'musi zaczynać się od daty urodzenia',
  },
  pesel_wrong_checksum: {
    en: 'must have the check digit of a PESEL; a digit may be mistyped',
    pl: 'musi mieć poprawną cyfrę kontrolną PESEL; sprawdź, czy nie ma literówki',
  },
  nip_wrong_length: { en: 'must have 10 digits', pl: 'musi mieć 10 cyfr' },
  nip_wrong_format: {
    en: 'must consist of digits, with hyphens as in 123-456-32-18 or 123-45-67-819 or without',
    pl: 'musi składać się z cyfr, bez łączników albo z nimi jak w 123-456-32-18 lub 123-45-67-819',
  },
  nip_wrong_checksum: {
    en: 'must have the check digit of a NIP; a digit may be mistyped',
    pl: 'musi mieć poprawną cyfrę kontrolną NIP; sprawdź, czy nie ma literówki',
  },
} satisfies { readonly [C in IssueCode]: Texts<C> };

const errorTexts = {
  validation_failed: {
    en: 'The input breaks rules of the interface; see errors.',
    pl: 'Dane nie spełniają reguł interfejsu; szczegóły w polu errors.',
  },
  unauthorized: {
    en: 'The request needs the header "Authorization: <scheme> <token>" with a token that is valid here; see WWW-Authenticate.',
    pl: 'Żądanie wymaga nagłówka „Authorization: <schemat> <token>” z tokenem ważnym w tym środowisku; schemat podaje WWW-Authenticate.',
  },
  not_found: { en: 'There is no such resource.', pl: 'Nie ma takiego zasobu.' },
  contractor_exists: {
    en: 'A contractor with this e-mail address exists already.',
    pl: 'Wykonawca z tym adresem e-mail już istnieje.',
  },
  deal_exists: {
    en: 'A deal with this partner_id exists already.',
    pl: 'Zlecenie z tym partner_id już istnieje.',
  },
  illegal_transition: {
    en: 'The deal does not take this command from you in its present state; see legal.',
    pl: 'Zlecenie w obecnym stanie nie przyjmuje od Ciebie tego polecenia; dozwolone podaje pole legal.',
  },
  precondition_failed: {
    en: 'The deal does not allow this now; see reason.',
    pl: 'Zlecenie teraz na to nie pozwala; przyczynę podaje pole reason.',
  },
  payload_too_large: {
    en: 'The body is larger than this path allows.',
    pl: 'Treść żądania jest większa, niż dopuszcza ta ścieżka.',
  },
  idempotency_key_reused: {
    en: 'This idempotency key was used before with other input.',
    pl: 'Ten klucz idempotencji został już użyty z innymi danymi.',
  },
  invalid_idempotency_key: {
    en: 'An idempotency key has 1 to 255 visible ASCII characters, without spaces.',
    pl: 'Klucz idempotencji składa się z 1 do 255 widocznych znaków ASCII, bez spacji.',
  },
  invalid_cursor: {
    en: 'The cursor does not belong to this list with this filter.',
    pl: 'Kursor nie pochodzi z tej listy z tym filtrem.',
  },
  rate_limited: {
    en: 'Too many requests; see the header Retry-After.',
    pl: 'Zbyt wiele żądań; czas oczekiwania podaje nagłówek Retry-After.',
  },
  unavailable: {
    en: 'A part of the service failed or did not answer. See outcome and retryable; a retry with the same idempotency key is safe.',
    pl: 'Część usługi nie wykonała zlecenia. Szczegóły w polach outcome i retryable; z tym samym kluczem idempotencji ponowienie jest bezpieczne.',
  },
  unexpected_response: {
    en: 'The service sent a response that the interface does not define.',
    pl: 'Usługa odpowiedziała w sposób, którego interfejs nie przewiduje.',
  },
  aborted: {
    en: 'The caller aborted the request.',
    pl: 'Wywołujący przerwał żądanie.',
  },
} satisfies Record<ErrorCode, Record<Language, string>>;

const notFoundTexts: Readonly<Record<Resource, Record<Language, string>>> = {
  deal: { en: 'There is no such deal.', pl: 'Nie ma takiego zlecenia.' },
  proposal: { en: 'There is no such proposal.', pl: 'Nie ma takiej propozycji.' },
  work_file: { en: 'There is no such work file.', pl: 'Nie ma takiego pliku.' },
  webhook: { en: 'There is no such webhook.', pl: 'Nie ma takiego webhooka.' },
  delivery: { en: 'There is no such delivery.', pl: 'Nie ma takiego doręczenia.' },
  report: { en: 'There is no such report.', pl: 'Nie ma takiego zgłoszenia.' },
  partner: { en: 'There is no such partner.', pl: 'Nie ma takiego partnera.' },
  operation: { en: 'There is no such operation here.', pl: 'Nie ma tu takiej operacji.' },
};

/**
 * The sentence for an error code; for `not_found` with the missing resource, if it is known.
 *
 * @example
 * ```ts
 * import { describeError } from 'dealwright';
 *
 * describeError('deal_exists', 'en'); // 'A deal with this partner_id exists already.'
 * describeError('not_found', 'en', 'deal'); // 'There is no such deal.'
 * ```
 */
export function describeError(code: ErrorCode, language: Language, resource?: Resource): string {
  // a service of a later version may have other resources
  const isKnown = resource !== undefined && Object.hasOwn(notFoundTexts, resource);
  return (isKnown ? notFoundTexts[resource] : errorTexts[code])[language];
}

/** The key under which a shared finding keeps its issues, by language. */
const issues = Symbol();

interface SharedFinding extends Finding {
  readonly [issues]?: Partial<Record<Language, Issue>>;
}

/**
 * Freezes a finding that is returned again and again. It is put into words once for all callers. A
 * copy with another path keeps no issues.
 */
export function shareFinding(finding: Finding): Finding {
  Object.freeze(finding.path);
  Object.freeze(finding.params);
  return Object.freeze(Object.defineProperty(finding, issues, { value: {} }));
}

/**
 * A finding in words, as the operations return it.
 *
 * @example
 * ```ts
 * import { describeIssue } from 'dealwright';
 *
 * const finding = { path: ['email'], code: 'required', params: {} } as const;
 * describeIssue(finding, 'en').message; // 'is required'
 * ```
 */
export function describeIssue(finding: Finding, language: Language): Issue {
  const kept = (finding as SharedFinding)[issues] ?? {};
  kept[language] ??= putIntoWords(finding, language);
  return kept[language];
}

function putIntoWords(finding: Finding, language: Language): Issue {
  const { path, code, params } = finding;
  // a finding pairs its code with its own params, which the index cannot see
  const text = issueTexts[code][language] as string | ((params: unknown) => string);
  const message = typeof text === 'string' ? text : text(params);
  return Object.freeze({
    path: Object.freeze(path),
    code,
    message,
    params: Object.freeze(params),
  }) as Issue;
}

/** The error for the caller: frozen, and in words. */
export function inWords<R extends { readonly code: ErrorCode }>(
  refusal: R,
  language: Language,
): WithMessage<R> {
  interface Said extends Pick<NotFound, 'resource'> {
    readonly code: ErrorCode;
    readonly errors?: readonly Finding[];
    readonly fault?: string;
  }
  // the fault of a port is for the operator's report of a run
  const { code, fault: _, ...members }: Said = refusal;
  const errors = members.errors?.map((finding) => describeIssue(finding, language));
  return Object.freeze({
    code,
    message: describeError(code, language, members.resource),
    ...members,
    ...(errors && { errors: Object.freeze(errors) }),
  }) as WithMessage<R>;
}
