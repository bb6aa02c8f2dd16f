import type { ContractorInput, DealInput, DealV2Input } from 'dealwright';

type Members<T> = Readonly<Record<keyof T, true>>;

/** The members of each body; nothing else that an input may hold leaves the process. */
export const contractorMembers: Members<ContractorInput> = {
  email: true,
  name: true,
  surname: true,
  country_code: true,
  street: true,
  house_no: true,
  apartment_no: true,
  postal_code: true,
  city: true,
  language: true,
  bank_account_currency: true,
  bank_account_iban: true,
  bank_account_bic: true,
  pesel: true,
  nip: true,
  tax_id: true,
};

/** The members of a 1.0 deal. */
export const dealMembers: Members<DealInput> = {
  partner_id: true,
  contractor_email: true,
  name: true,
  description: true,
  budget: true,
  currency: true,
  work_days: true,
  sub_category_id: true,
};

/** The members of a 2.0 deal. */
export const dealV2Members: Members<DealV2Input> = {
  partner_id: true,
  email_freelancer: true,
  title: true,
  description: true,
  subcategory_id: true,
  amount: true,
  currency: true,
  copyright_transfer: true,
  freelancer_language: true,
};

/** JSON of a type that no member wants, and no body is. */
const ofNoUse = false;

/**
 * The JSON of an input. A caller can hand over what JSON cannot carry, or carries as something
 * else: `NaN` as `null`, a bigint or a cycle as an exception, a `Date` as text. Such a value is
 * sent as one that the service answers as the same input is answered in process. `undefined` where it
 * is too long to be sent at all.
 */
export function encodeInput(
  input: unknown,
  members: Readonly<Record<string, true>>,
): string | undefined {
  if (input === null) return 'null';
  const given = copyMembers(input);
  if (given === undefined) return String(ofNoUse);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(members)) body[name] = encodable(given[name]);
  try {
    return JSON.stringify(body);
  } catch {
    return undefined; // longer than a string can be
  }
}

function encodable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      if (Number.isNaN(value)) return ofNoUse;
      // infinity is out of range, and so is the largest finite number
      return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
    default:
      return value === null ? null : ofNoUse;
  }
}

/** The own members, as the core copies them in process; what cannot be read is no object. */
function copyMembers(input: unknown): Record<string, unknown> | undefined {
  try {
    return typeof input === 'object' && !Array.isArray(input) ? { ...input } : undefined;
  } catch {
    return undefined;
  }
}
