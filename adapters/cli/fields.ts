import type { ContractorInput, DealInput, DealV2Input } from 'dealwright';
import { err, ok, type Result } from 'neverthrow';

/** A field that a flag gives: what it is, in few words, and whether it is a number. */
export interface Field {
  readonly help: string;
  readonly integer?: true;
}

/** The fields of a body by their names in the interface. */
export type Fields = Readonly<Record<string, Field>>;

/** The fields of a contractor. */
export const contractorFields = {
  email: { help: 'e-mail address' },
  name: { help: 'first name' },
  surname: { help: 'surname' },
  country_code: { help: 'ISO 3166-1 alpha-2 code' },
  street: { help: 'street' },
  house_no: { help: 'house number' },
  apartment_no: { help: 'apartment number' },
  postal_code: { help: 'postal code, 1 to 6 characters' },
  city: { help: 'city' },
  language: { help: 'pl or en' },
  bank_account_currency: { help: 'ISO 4217 code' },
  bank_account_iban: { help: 'IBAN' },
  bank_account_bic: { help: 'BIC' },
  pesel: { help: 'Polish tax ID of a person' },
  nip: { help: 'Polish tax ID of a company' },
  tax_id: { help: 'tax ID elsewhere' },
} satisfies Record<keyof ContractorInput, Field>;

/** The fields of a deal of version 1.0. */
export const dealFields = {
  partner_id: { help: 'your own id of the deal, 1 to 40 characters' },
  contractor_email: { help: '1.0: e-mail address of a registered contractor' },
  name: { help: '1.0: name of the deal' },
  description: { help: 'description' },
  budget: { help: '1.0: amount, such as 1000.00' },
  currency: { help: '3 characters' },
  work_days: { help: '1.0: days of work (default 30)', integer: true },
  sub_category_id: { help: '1.0: id of a subcategory', integer: true },
} satisfies Record<keyof DealInput, Field>;

/** The fields of a deal of version 2.0. */
export const dealV2Fields = {
  partner_id: dealFields.partner_id,
  email_freelancer: { help: '2.0: e-mail address of the freelancer' },
  title: { help: '2.0: title of the deal' },
  description: dealFields.description,
  subcategory_id: { help: '2.0: id of a subcategory', integer: true },
  amount: { help: '2.0: amount above zero, such as 500.00' },
  currency: dealFields.currency,
  copyright_transfer: { help: '2.0: full_transfer, license or none' },
  freelancer_language: { help: '2.0: pl or en' },
} satisfies Record<keyof DealV2Input, Field>;

/** The flag of a field: `--postal-code` of `postal_code`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The members that flags give, or what is wrong with one. */
export function membersOf(
  fields: Fields,
  flags: Readonly<Record<string, unknown>>,
): Result<Readonly<Record<string, unknown>>, string> {
  const members: Record<string, unknown> = {};
  for (const [name, { integer = false }] of Object.entries(fields)) {
    const value = flags[attributeOf(name)];
    if (value === undefined) continue;
    if (integer && !/^[+-]?\d{1,20}$/.test(String(value))) {
      return err(`${flagOf(name)} takes a whole number`);
    }
    members[name] = integer ? Number(value) : value;
  }
  return ok(members);
}

/** Flags that were given for fields of `others` which `fields` does not have. */
export function strayFlags(
  fields: Fields,
  others: Fields,
  flags: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(others)
    .filter((name) => !Object.hasOwn(fields, name) && flags[attributeOf(name)] !== undefined)
    .map(flagOf);
}

/** The name under which the flag of a field is found. */
function attributeOf(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
