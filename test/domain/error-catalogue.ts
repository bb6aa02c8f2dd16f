import type { ErrorCode } from 'dealwright';

interface ErrorMessage {
  readonly code: ErrorCode;
  readonly en: string;
  readonly pl: string;
}

/** Every error's sentence. */
export const errorMessages = [
  {
    code: 'invalid_json',
    en: 'The body is not JSON in UTF-8, or there is none.',
    pl: 'Treść żądania nie jest poprawnym JSON-em w kodowaniu UTF-8 albo jej brakuje.',
  },
  {
    code: 'validation_failed',
    en: 'The input breaks rules of the interface; see errors.',
    pl: 'Dane nie spełniają reguł interfejsu; szczegóły w polu errors.',
  },
  {
    code: 'unauthorized',
    en: 'The request needs the header "Authorization: Token <API_TOKEN>" with a token that is valid here.',
    pl: 'Żądanie wymaga nagłówka „Authorization: Token <API_TOKEN>” z tokenem ważnym w tym środowisku.',
  },
  { code: 'not_found', en: 'There is no such resource.', pl: 'Nie ma takiego zasobu.' },
  {
    code: 'method_not_allowed',
    en: 'This path does not take this method; see the header Allow.',
    pl: 'Ta ścieżka nie obsługuje tej metody; dozwolone podaje nagłówek Allow.',
  },
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
    code: 'precondition_failed',
    en: 'The deal does not allow this in its present state.',
    pl: 'Obecny stan zlecenia na to nie pozwala.',
  },
  {
    code: 'payload_too_large',
    en: 'The body is larger than this path takes.',
    pl: 'Treść żądania jest większa, niż dopuszcza ta ścieżka.',
  },
  {
    code: 'unsupported_media_type',
    en: 'The body must be JSON in UTF-8 (application/json), or for a file also a form (multipart/form-data), without a content encoding.',
    pl: 'Treść żądania musi być JSON-em w UTF-8 (application/json), a dla pliku może też być formularzem (multipart/form-data), bez kodowania Content-Encoding.',
  },
  {
    code: 'idempotency_key_reused',
    en: 'This idempotency key was used before with other input.',
    pl: 'Ten klucz idempotencji został już użyty z innymi danymi.',
  },
  {
    code: 'invalid_idempotency_key',
    en: 'An idempotency key has 1 to 255 visible ASCII characters.',
    pl: 'Klucz idempotencji składa się z 1 do 255 widocznych znaków ASCII.',
  },
  {
    code: 'invalid_cursor',
    en: 'The cursor is not one of this list with this filter.',
    pl: 'Kursor nie pochodzi z tej listy z tym filtrem.',
  },
  {
    code: 'rate_limited',
    en: 'Too many requests; see the header Retry-After.',
    pl: 'Zbyt wiele żądań; czas oczekiwania podaje nagłówek Retry-After.',
  },
  {
    code: 'unavailable',
    en: 'A part of the service did not do what it was asked. See outcome and retryable; with the same idempotency key a retry is safe.',
    pl: 'Część usługi nie wykonała zlecenia. Szczegóły w polach outcome i retryable; z tym samym kluczem idempotencji ponowienie jest bezpieczne.',
  },
  {
    code: 'internal',
    en: 'Something went wrong on the side of the service.',
    pl: 'Wystąpił błąd po stronie usługi.',
  },
  {
    code: 'unexpected_response',
    en: 'The service answered in a way that the interface does not know.',
    pl: 'Usługa odpowiedziała w sposób, którego interfejs nie przewiduje.',
  },
  {
    code: 'aborted',
    en: 'The caller called the request off.',
    pl: 'Wywołujący przerwał żądanie.',
  },
] as const satisfies readonly ErrorMessage[];

/** Fails to compile where a code is missing above. */
export const isComplete: Exclude<ErrorCode, (typeof errorMessages)[number]['code']> extends never
  ? true
  : never = true;
