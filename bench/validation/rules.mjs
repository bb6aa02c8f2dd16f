// The rules of the two aggregates as plain predicates, for the contenders to build on: one call a
// field, so no contender pays for reading a text twice.
import { countryCodes, currencyCodes } from 'dealwright';

const form =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const decimal = /^-?(?=\.?\d)\d{0,18}(?:\.\d{0,2})?$/;

/** Well-formed text without U+0000, of `min` to `max` code points. */
export function isText(min, max) {
  return (value) => {
    if (!value.isWellFormed() || value.includes('\0')) return false;
    const units = value.length;
    if (units < min || units > 2 * max) return false;
    if (units <= max && units >= 2 * min) return true;
    let points = 0;
    for (const _ of value) points += 1;
    return points >= min && points <= max;
  };
}

export const isEmail = (value) =>
  value.length <= 254 && form.test(value) && value.indexOf('@') <= 64;
export const isDecimal = (value) => decimal.test(value);
const isCountry = (value) => countryCodes.has(value);
const isCurrency = (value) => currencyCodes.has(value);
const isLanguage = (value) => value === 'pl' || value === 'en';

/** Whole cents, exactly. */
export function toMinorUnits(text) {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  const amount = BigInt(whole + fraction.padEnd(2, '0'));
  return text.startsWith('-') ? -amount : amount;
}

const unbounded = Number.MAX_SAFE_INTEGER;

/**
 * Every field of every aggregate: its predicate, the sentence for a breach, whether it is optional.
 */
export const fields = {
  contractor: {
    email: string(isEmail, 'must be an e-mail address'),
    name: text(1),
    surname: text(1),
    country_code: string(isCountry, 'must be an ISO 3166-1 country'),
    street: text(1),
    house_no: optional(text(1)),
    apartment_no: optional(text(1)),
    postal_code: text(1, 6),
    city: text(1),
    language: string(isLanguage, 'must be one of: pl, en'),
    bank_account_currency: string(isCurrency, 'must be an ISO 4217 currency'),
    bank_account_iban: text(15, 34),
    bank_account_bic: optional(text(1, 11)),
    pesel: optional(text(1, 11)),
    nip: optional(text(1)),
    tax_id: optional(text(1, 30)),
  },
  deal: {
    partner_id: text(1, 40),
    contractor_email: string(isEmail, 'must be an e-mail address'),
    name: text(1, 200),
    description: text(1),
    budget: { ...string(isDecimal, 'must be a decimal'), money: true },
    currency: text(3, 3),
    work_days: { type: 'integer', optional: true, fallback: 30 },
    sub_category_id: { type: 'integer' },
  },
};

function string(holds, message) {
  return { type: 'string', holds, message };
}

function text(min, max = unbounded) {
  const message =
    max === unbounded
      ? `must have at least ${min} characters`
      : `must have ${min} to ${max} characters`;
  return string(isText(min, max), message);
}

function optional(field) {
  return { ...field, optional: true };
}
