import { countries, currencies } from './codes.mjs';
import { invalid } from './errors.mjs';

// A field is a list of checks, each with the code and the params of its issue. Only the first one
// that fails counts, so that a check may rely on those before it.

/** An e-mail address of the HTML standard, and a media type. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const address = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, 'i');
const type = /^[\w.!#$%&'*+^`|~-]+\/[\w.!#$%&'*+^`|~-]+(?:; *[\w.-]+=(?:[\w.-]+|"[^"]*"))*$/;
const safe = Number.MAX_SAFE_INTEGER;
const digits = { max_integer_digits: 18, max_fraction_digits: 2 };

/** In code points, not UTF-16 units. */
const lengthOf = (value) => [...value].length;
/** Node decodes any text: it skips characters that are not base64. */
const isBase64 = (value) => Buffer.from(value, 'base64').toString('base64') === value;

const typed = (holds, expected) => [
  [(value) => value !== undefined, 'required'],
  [(value) => value !== null, 'null_not_allowed'],
  [holds, 'wrong_type', { expected }],
];
const object = typed((value) => typeof value === 'object' && !Array.isArray(value), 'object');
const string = typed((value) => typeof value === 'string', 'string');
const integer = [
  ...typed((value) => typeof value === 'number', 'integer'),
  [(value) => Math.abs(value) <= safe, 'out_of_range', { min: -safe, max: safe }],
  [(value) => Number.isInteger(value), 'not_an_integer'],
];
/** Base64, or the bytes of a form. */
const content = [
  ...typed((value) => typeof value === 'string' || Buffer.isBuffer(value), 'content'),
  [(value) => Buffer.isBuffer(value) || isBase64(value), 'invalid_base64'],
];
const among = (values, code, params) => [(value) => values.includes(value), code, params];
const atLeast = (min) => [(value) => lengthOf(value) >= min, 'too_short', { min }];
const atMost = (max) => [(value) => lengthOf(value) <= max, 'too_long', { max }];
const unicode = [
  ...string,
  [(value) => value.isWellFormed(), 'malformed_text'],
  [(value) => !value.includes('\0'), 'forbidden_character'],
];
const text = (min = 1, max = Number.POSITIVE_INFINITY) => [...unicode, atLeast(min), atMost(max)];
const email = [
  ...string,
  atLeast(1),
  atMost(254),
  [(value) => address.test(value), 'invalid_email'],
  [(value) => value.indexOf('@') <= 64, 'email_local_part_too_long', { max: 64 }],
];
const mediaType = [...text(1, 255), [(value) => type.test(value), 'invalid_media_type']];
const decimal = [
  ...string,
  [(value) => /^-?\d{0,18}(?:\.\d{0,2})?$/.test(value), 'invalid_decimal', digits],
  [(value) => /\d/.test(value), 'invalid_decimal', digits],
];

const optional = (checks) =>
  checks.map(([holds, ...issue]) => [(value) => value === undefined || holds(value), ...issue]);

export const contractorFields = {
  email,
  name: text(),
  surname: text(),
  country_code: [...string, among(countries, 'unknown_country')],
  street: text(),
  house_no: optional(text()),
  apartment_no: optional(text()),
  postal_code: text(1, 6),
  city: text(),
  language: [...string, among(['pl', 'en'], 'not_allowed', { allowed: ['pl', 'en'] })],
  bank_account_currency: [...string, among(currencies, 'unknown_currency')],
  bank_account_iban: text(15, 34),
  bank_account_bic: optional(text(1, 11)),
  pesel: optional(text(1, 11)),
  nip: optional(text()),
  tax_id: optional(text(1, 30)),
};

export const dealFields = (subcategoryIds) => ({
  partner_id: text(1, 40),
  contractor_email: email,
  name: text(1, 200),
  description: text(),
  budget: decimal,
  currency: [...unicode, [(value) => lengthOf(value) === 3, 'wrong_length', { length: 3 }]],
  work_days: optional(integer),
  sub_category_id: [...integer, among(subcategoryIds, 'unknown_subcategory')],
});

export const fileFields = (stageIds) => ({
  stage_id: optional([...integer, among(stageIds, 'unknown_stage')]),
  name: text(1, 255),
  content_type: optional(mediaType),
  content,
});

function judge(checks, value, ...path) {
  const [, code, params] = checks.find(([holds]) => !holds(value)) ?? [];
  return code === undefined ? [] : [{ path, code, params }];
}

function refuse(issues) {
  if (issues.length > 0) throw invalid(...issues);
}

/** The fields of a body. It is refused with all issues at once. */
export function readRecord(fields, body) {
  refuse(judge(object, body));
  refuse(Object.entries(fields).flatMap(([name, checks]) => judge(checks, body[name], name)));
  return Object.fromEntries(Object.keys(fields).map((name) => [name, body[name]]));
}
