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
  if (!isRecord(input)) return String(ofNoUse);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(members)) body[name] = encodable(read(input, name));
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

function isRecord(input: unknown): input is Record<string, unknown> {
  try {
    return typeof input === 'object' && !Array.isArray(input);
  } catch {
    return false; // Array.isArray refuses a revoked proxy
  }
}

/** A member, inherited ones and getters included, as the core reads it in process. */
function read(input: Record<string, unknown>, name: string): unknown {
  try {
    return input[name];
  } catch {
    return ofNoUse;
  }
}
