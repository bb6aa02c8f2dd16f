import type { ErrorCode } from 'dealwright';

interface ErrorMessage {
  readonly code: ErrorCode;
  readonly en: string;
  readonly pl: string;
}

/** The sentence of every error of a call. */
export const errorMessages = [
  {
    code: 'validation_failed',
    en: 'The input breaks rules of the interface; see errors.',
    pl: 'Dane nie spełniają reguł interfejsu; szczegóły w polu errors.',
  },
  {
    code: 'unauthorized',
    en: 'The request needs the header "Authorization: <scheme> <token>" with a token that is valid here; see WWW-Authenticate.',
    pl: 'Żądanie wymaga nagłówka „Authorization: <schemat> <token>” z tokenem ważnym w tym środowisku; schemat podaje WWW-Authenticate.',
  },
  { code: 'not_found', en: 'There is no such resource.', pl: 'Nie ma takiego zasobu.' },
  {
    code: 'contractor_exists',
    en: 'A contractor with this e-mail address exists already.',
    pl: 'Wykonawca z tym adresem e-mail już istnieje.',
  },
  {
    code: 'deal_exists',
    en: 'A deal with this partner_id exists already.',
    pl: 'Zlecenie z tym partner_id już istnieje.',
  },
  {
    code: 'illegal_transition',
    en: 'The deal does not take this command from you in its present state; see legal.',
    pl: 'Zlecenie w obecnym stanie nie przyjmuje od Ciebie tego polecenia; dozwolone podaje pole legal.',
  },
  {
    code: 'precondition_failed',
    en: 'The deal does not allow this now; see reason.',
    pl: 'Zlecenie teraz na to nie pozwala; przyczynę podaje pole reason.',
  },
  {
    code: 'payload_too_large',
    en: 'The body is larger than this path allows.',
    pl: 'Treść żądania jest większa, niż dopuszcza ta ścieżka.',
  },
  {
    code: 'idempotency_key_reused',
    en: 'This idempotency key was used before with other input.',
    pl: 'Ten klucz idempotencji został już użyty z innymi danymi.',
  },
  {
    code: 'invalid_idempotency_key',
    en: 'An idempotency key has 1 to 255 visible ASCII characters, without spaces.',
    pl: 'Klucz idempotencji składa się z 1 do 255 widocznych znaków ASCII, bez spacji.',
  },
  {
    code: 'invalid_cursor',
    en: 'The cursor does not belong to this list with this filter.',
    pl: 'Kursor nie pochodzi z tej listy z tym filtrem.',
  },
  {
    code: 'rate_limited',
    en: 'Too many requests; see the header Retry-After.',
    pl: 'Zbyt wiele żądań; czas oczekiwania podaje nagłówek Retry-After.',
  },
  {
    code: 'unavailable',
    en: 'A part of the service failed or did not answer. See outcome and retryable; a retry with the same idempotency key is safe.',
    pl: 'Część usługi nie wykonała zlecenia. Szczegóły w polach outcome i retryable; z tym samym kluczem idempotencji ponowienie jest bezpieczne.',
  },
  {
    code: 'unexpected_response',
    en: 'The service sent a response that the interface does not define.',
    pl: 'Usługa odpowiedziała w sposób, którego interfejs nie przewiduje.',
  },
  {
    code: 'aborted',
    en: 'The caller aborted the request.',
    pl: 'Wywołujący przerwał żądanie.',
  },
] as const satisfies readonly ErrorMessage[];

/** Does not compile if a code is missing above. */
export const isComplete: Exclude<ErrorCode, (typeof errorMessages)[number]['code']> extends never
  ? true
  : never = true;
