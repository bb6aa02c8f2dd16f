import type { IssueCode } from 'dealwright';
import { webhookMessages } from './webhook-messages.js';

interface IssueMessage {
  readonly code: IssueCode;
  readonly params: object;
  readonly en: string;
  readonly pl: string;
}

/** Every message as integrators see it: they notice a change here. */
export const issueMessages = [
  { code: 'required', params: {}, en: 'is required', pl: 'jest wymagane' },
  {
    code: 'null_not_allowed',
    params: {},
    en: 'must not be null; leave an optional member out instead',
    pl: 'nie może mieć wartości null; pole opcjonalne należy pominąć',
  },
  {
    code: 'wrong_type',
    params: { expected: 'object' },
    en: 'must be an object',
    pl: 'musi być obiektem',
  },
  {
    code: 'wrong_type',
    params: { expected: 'string' },
    en: 'must be a string',
    pl: 'musi być tekstem',
  },
  {
    code: 'wrong_type',
    params: { expected: 'integer' },
    en: 'must be an integer',
    pl: 'musi być liczbą całkowitą',
  },
  {
    code: 'wrong_type',
    params: { expected: 'content' },
    en: 'must be bytes, or text in base64',
    pl: 'musi być ciągiem bajtów albo tekstem w base64',
  },
  {
    code: 'malformed_text',
    params: {},
    en: 'must be well-formed Unicode, without a lone surrogate',
    pl: 'musi być poprawnym tekstem Unicode, bez pojedynczych surogatów',
  },
  {
    code: 'forbidden_character',
    params: {},
    en: 'must not contain the character U+0000',
    pl: 'nie może zawierać znaku U+0000',
  },
  {
    code: 'too_short',
    params: { min: 1 },
    en: 'must have at least 1 character',
    pl: 'minimalna liczba znaków: 1',
  },
  {
    code: 'too_short',
    params: { min: 15 },
    en: 'must have at least 15 characters',
    pl: 'minimalna liczba znaków: 15',
  },
  {
    code: 'too_long',
    params: { max: 200 },
    en: 'must have at most 200 characters',
    pl: 'maksymalna liczba znaków: 200',
  },
  {
    code: 'wrong_length',
    params: { length: 3 },
    en: 'must have exactly 3 characters',
    pl: 'wymagana liczba znaków: 3',
  },
  {
    code: 'invalid_email',
    params: {},
    en: 'must be an e-mail address such as user@example.com',
    pl: 'musi być adresem e-mail, na przykład user@example.com',
  },
  {
    code: 'email_local_part_too_long',
    params: { max: 64 },
    en: 'must have at most 64 characters before the @',
    pl: 'maksymalna liczba znaków przed znakiem @: 64',
  },
  {
    code: 'not_allowed',
    params: { allowed: ['pl', 'en'] },
    en: 'must be one of: pl, en',
    pl: 'dozwolone wartości: pl, en',
  },
  {
    code: 'unknown_country',
    params: {},
    en: 'must be an ISO 3166-1 alpha-2 country code in upper case, or XK',
    pl: 'musi być kodem kraju ISO 3166-1 alfa-2 zapisanym wielkimi literami albo XK',
  },
  {
    code: 'unknown_currency',
    params: {},
    en: 'must be an ISO 4217 currency code in use, in upper case',
    pl: 'musi być używanym kodem waluty ISO 4217 zapisanym wielkimi literami',
  },
  {
    code: 'invalid_decimal',
    params: { max_integer_digits: 18, max_fraction_digits: 2 },
    en: 'must be a decimal number in a string, with at most 18 digits before and 2 after the decimal point',
    pl: 'musi być liczbą dziesiętną zapisaną jako tekst; cyfr przed kropką najwyżej 18, po kropce najwyżej 2',
  },
  {
    code: 'too_fine',
    params: { unit: '1.00' },
    en: 'must be a multiple of 1.00, the smallest amount of this currency',
    pl: 'musi być wielokrotnością 1.00, najmniejszej kwoty w tej walucie',
  },
  {
    code: 'not_positive',
    params: {},
    en: 'must be greater than zero',
    pl: 'musi być większe od zera',
  },
  { code: 'not_an_integer', params: {}, en: 'must be an integer', pl: 'musi być liczbą całkowitą' },
  {
    code: 'out_of_range',
    params: { min: -5, max: 9 },
    en: 'must be between -5 and 9',
    pl: 'musi mieścić się w zakresie od -5 do 9',
  },
  {
    code: 'unknown_subcategory',
    params: {},
    en: 'must be the id of a subcategory of the category tree',
    pl: 'musi być identyfikatorem podkategorii z drzewa kategorii',
  },
  {
    code: 'unknown_contractor',
    params: {},
    en: 'must be the e-mail address of a registered contractor',
    pl: 'musi być adresem e-mail zarejestrowanego wykonawcy',
  },
  {
    code: 'unknown_stage',
    params: {},
    en: 'must be the id of a stage of this deal',
    pl: 'musi być identyfikatorem etapu tego zlecenia',
  },
  {
    code: 'invalid_timestamp',
    params: {},
    en: 'must be an RFC 3339 date and time such as 2026-01-31T12:00:00Z',
    pl: 'musi być datą i godziną według RFC 3339, na przykład 2026-01-31T12:00:00Z',
  },
  {
    code: 'invalid_media_type',
    params: {},
    en: 'must be a media type such as application/pdf',
    pl: 'musi być typem zawartości, na przykład application/pdf',
  },
  {
    code: 'invalid_base64',
    params: {},
    en: 'must be base64 with padding (RFC 4648)',
    pl: 'musi być zapisane w base64 według RFC 4648, z dopełnieniem',
  },
  {
    code: 'too_deep',
    params: { max: 64 },
    en: 'must not nest objects and arrays deeper than 64 levels',
    pl: 'maksymalna głębokość zagnieżdżenia obiektów i tablic: 64',
  },
  {
    code: 'unknown_parameter',
    params: { allowed: ['cursor', 'page_size'] },
    en: 'must be one of: cursor, page_size',
    pl: 'dozwolone wartości: cursor, page_size',
  },
  {
    code: 'malformed_form',
    params: {},
    en: 'must be a complete multipart/form-data form',
    pl: 'musi być kompletnym formularzem multipart/form-data',
  },
  {
    code: 'repeated',
    params: {},
    en: 'must appear only once',
    pl: 'może wystąpić tylko raz',
  },
  {
    code: 'unreadable',
    params: {},
    en: 'could not be read to the end',
    pl: 'nie udało się odczytać do końca',
  },
  {
    code: 'refused_by_scanner',
    params: {},
    en: 'was rejected by the file scanner',
    pl: 'zostało odrzucone podczas skanowania',
  },
  {
    code: 'too_many_files',
    params: { max: 500 },
    en: 'exceeds the maximum of 500 files',
    pl: 'maksymalna liczba plików: 500',
  },
  {
    code: 'blank',
    params: {},
    en: 'must not consist of white space alone',
    pl: 'nie może składać się z samych białych znaków',
  },
  {
    code: 'iban_unknown_country',
    params: {},
    en: 'must begin with the code of a country that uses IBANs',
    pl: 'musi zaczynać się od kodu kraju, który używa numerów IBAN',
  },
  {
    code: 'iban_wrong_length',
    params: {},
    en: 'must have the length of an IBAN of its country',
    pl: 'musi mieć długość numeru IBAN właściwą dla kraju',
  },
  {
    code: 'iban_wrong_format',
    params: {},
    en: 'must have the format of an IBAN of its country, in upper case without spaces',
    pl: 'musi mieć format numeru IBAN właściwy dla kraju, wielkimi literami i bez spacji',
  },
  {
    code: 'iban_wrong_checksum',
    params: {},
    en: 'must have the check digits of an IBAN; a character may be mistyped',
    pl: 'musi mieć poprawną sumę kontrolną IBAN; sprawdź, czy nie ma literówki',
  },
  {
    code: 'bic_wrong_length',
    params: {},
    en: 'must have 8 or 11 characters',
    pl: 'musi mieć 8 albo 11 znaków',
  },
  {
    code: 'bic_wrong_format',
    params: {},
    en: 'must be a BIC (ISO 9362) in upper case: 4 letters or digits, a country, 2 and at most 3 more characters',
    pl: 'musi być kodem BIC (ISO 9362) wielkimi literami: 4 litery lub cyfry, kraj, 2 znaki i opcjonalnie 3 kolejne',
  },
  { code: 'pesel_wrong_length', params: {}, en: 'must have 11 digits', pl: 'musi mieć 11 cyfr' },
  {
    code: 'pesel_wrong_format',
    params: {},
    en: 'must consist of digits',
    pl: 'musi składać się z samych cyfr',
  },
  {
    code: 'pesel_wrong_date',
    params: {},
    en: 'must begin with a date of birth',
    pl: 'musi zaczynać się od daty urodzenia',
  },
  {
    code: 'pesel_wrong_checksum',
    params: {},
    en: 'must have the check digit of a PESEL; a digit may be mistyped',
    pl: 'musi mieć poprawną cyfrę kontrolną PESEL; sprawdź, czy nie ma literówki',
  },
  { code: 'nip_wrong_length', params: {}, en: 'must have 10 digits', pl: 'musi mieć 10 cyfr' },
  {
    code: 'nip_wrong_format',
    params: {},
    en: 'must consist of digits, with hyphens as in 123-456-32-18 or 123-45-67-819 or without',
    pl: 'musi składać się z cyfr, bez łączników albo z nimi jak w 123-456-32-18 lub 123-45-67-819',
  },
  {
    code: 'nip_wrong_checksum',
    params: {},
    en: 'must have the check digit of a NIP; a digit may be mistyped',
    pl: 'musi mieć poprawną cyfrę kontrolną NIP; sprawdź, czy nie ma literówki',
  },
  {
    code: 'not_negative',
    params: {},
    en: 'must not be less than zero',
    pl: 'nie może być mniejsze od zera',
  },
  {
    code: 'unknown_payment',
    params: {},
    en: 'must be the id of a payment of this deal',
    pl: 'musi być identyfikatorem płatności tego zlecenia',
  },
  {
    code: 'currency_mismatch',
    params: {},
    en: 'must be the currency of the deal',
    pl: 'musi być walutą zlecenia',
  },
  ...webhookMessages,
  { code: 'empty', params: {}, en: 'must not be empty', pl: 'nie może być puste' },
  {
    code: 'too_many_stages',
    params: { max: 100 },
    en: 'must have at most 100 stages',
    pl: 'maksymalna liczba etapów: 100',
  },
  {
    code: 'secret_in_text',
    params: {},
    en: 'must not contain the payment token of the deal',
    pl: 'nie może zawierać tokenu płatności zlecenia',
  },
] as const satisfies readonly IssueMessage[];

/** Does not compile if a code is missing above. */
export const isComplete: Exclude<IssueCode, (typeof issueMessages)[number]['code']> extends never
  ? true
  : never = true;
