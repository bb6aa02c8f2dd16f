import * as fc from 'fast-check';
import type { ContractorInput, DealInput, DealV2Input } from '../src/api/inputs.js';
import { countryCodes, currencyCodes } from '../src/domain/values/codes.js';
import type { IssueCode } from '../src/domain/values/issues.js';
import { defaultValueSets } from '../src/domain/values/value-sets.js';
import {
  emailField,
  exactTextField,
  type FieldValues,
  integerField,
  moneyField,
  nameField,
  oneOfField,
  textField,
} from './arbitraries-values.js';

/**
 * The fields of an input in the order of the interface, each with valid values and with values one
 * step outside, under the rules of the interface profile.
 */
export type InputFields<T> = {
  readonly [K in keyof T]-?: FieldValues<NonNullable<T[K]>>;
};

/**
 * The fields of a contractor (interface, Contractor 1.0).
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { contractorFields } from 'dealwright/spec';
 *
 * fc.sample(contractorFields().email.outside, 3); // [{ value, code }, ...]
 * ```
 */
export function contractorFields({
  prefix,
}: Pick<DealReferences, 'prefix'> = {}): InputFields<ContractorInput> {
  return {
    email: emailField(prefix),
    name: textField(1),
    surname: textField(1),
    country_code: oneOfField(
      'unknown_country',
      [...countryCodes],
      ['at', 'UK', 'EU', 'AN', 'ZZ', 'AUT', 'A', 'AT ', 'XX', 'constructor'],
    ),
    street: textField(1),
    house_no: textField(1, undefined, true),
    apartment_no: textField(1, undefined, true),
    postal_code: textField(1, 6),
    city: textField(1),
    language: oneOfField('not_allowed', ['pl', 'en'], ['PL', 'En', 'de', 'pl ', 'pl-PL']),
    bank_account_currency: oneOfField(
      'unknown_currency',
      [...currencyCodes],
      [
        ...['ANG', 'CUC', 'HRK', 'SLL', 'ZWL', 'XXX', 'XTS', 'BGN'],
        ...['eur', 'EU1', '€€€', 'EU', 'EURO', 'EU\ud800', 'EUR\0'],
      ],
    ),
    bank_account_iban: textField(15, 34),
    bank_account_bic: textField(1, 11, true),
    pesel: textField(1, 11, true),
    nip: textField(1, undefined, true),
    tax_id: textField(1, 30, true),
  };
}

/**
 * References of an arbitrary deal: a registered address, ids of the category tree.
 */
export interface DealReferences {
  /** The contractor of a 1.0 deal; default: any address. */
  readonly email?: string;
  /** Ids to choose the subcategory from; default 75, which the default tree has. */
  readonly subcategories?: readonly number[];
  /**
   * The beginning of every valid `partner_id`, and of every valid e-mail address, which is then one
   * of example.com: for a service that others use too.
   */
  readonly prefix?: string;
}

/**
 * The fields of a deal of version 1.0 (interface, Deal 1.0).
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { dealFields } from 'dealwright/spec';
 *
 * fc.sample(dealFields({ email: 'user@example.com' }).budget.valid, 3); // ['-.5', ...]
 * ```
 */
export function dealFields(references: DealReferences = {}): InputFields<DealInput> {
  const { email, subcategories = [75], prefix } = references;
  const address = emailField(prefix);
  return {
    partner_id: nameField(prefix),
    contractor_email: email === undefined ? address : { ...address, valid: fc.constantFrom(email) },
    name: textField(1, 200),
    description: textField(1),
    budget: moneyField('any'),
    currency: exactTextField(3),
    work_days: integerField(true),
    sub_category_id: integerField(false, fc.constantFrom(...subcategories)),
  };
}

/**
 * The fields of a deal of version 2.0 (decision 3), with the default sets of values.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { dealV2Fields } from 'dealwright/spec';
 *
 * fc.sample(dealV2Fields().amount.outside, 3); // [{ value: '-0', code: 'not_positive' }, ...]
 * ```
 */
export function dealV2Fields(references: DealReferences = {}): InputFields<DealV2Input> {
  const { subcategories = [75], prefix } = references;
  const { copyright_transfer, freelancer_language } = defaultValueSets;
  return {
    partner_id: nameField(prefix),
    email_freelancer: emailField(prefix),
    title: textField(1, 200),
    description: textField(1),
    subcategory_id: integerField(false, fc.constantFrom(...subcategories)),
    amount: moneyField('positive'),
    currency: exactTextField(3),
    copyright_transfer: oneOfField('not_allowed', copyright_transfer, [
      'Full_Transfer',
      'licence',
      'constructor',
    ]),
    freelancer_language: oneOfField('not_allowed', freelancer_language, ['PL', 'de', '__proto__']),
  };
}

/**
 * An input that some rules refuse, and its issues: in the order of the fields, one issue a field.
 */
export interface BrokenInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly issues: readonly { readonly path: readonly string[]; readonly code: IssueCode }[];
}

/**
 * Inputs that the rules accept, with or without optional members.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { dealFields, validInput } from 'dealwright/spec';
 *
 * fc.sample(validInput(dealFields()), 1);
 * ```
 */
export function validInput<T>(fields: InputFields<T>): fc.Arbitrary<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const requiredKeys = names.filter((name) => !fields[name].optional);
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of names) model[name] = fields[name].valid;
  return fc.record(model, {
    requiredKeys,
    noNullPrototype: true,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<T>;
}

/**
 * Inputs with one to all fields one step outside of their rules, the others valid.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { brokenInput, contractorFields } from 'dealwright/spec';
 *
 * fc.sample(brokenInput(contractorFields()), 1); // [{ input, issues }]
 * ```
 */
export function brokenInput<T>(fields: InputFields<T>): fc.Arbitrary<BrokenInput> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return fc
    .tuple(validInput(fields), fc.subarray(names, { minLength: 1 }))
    .chain(([input, broken]) =>
      fc.tuple(...broken.map((name) => fields[name].outside)).map((values) => {
        const changed: Record<string, unknown> = Object.fromEntries(
          names.flatMap((name) => (name in (input as object) ? [[name, input[name]]] : [])),
        );
        const issues = values.map(({ value, code }, index) => {
          const name = broken[index] ?? '';
          if (value === undefined) delete changed[name];
          else changed[name] = value;
          return { path: [name], code };
        });
        return { input: changed, issues };
      }),
    );
}

/**
 * Contractors that the interface profile accepts.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { contractorInput } from 'dealwright/spec';
 *
 * const [contractor] = fc.sample(contractorInput(), 1);
 * ```
 */
export function contractorInput(
  references?: Pick<DealReferences, 'prefix'>,
): fc.Arbitrary<ContractorInput> {
  return validInput(contractorFields(references));
}

/**
 * Deals of version 1.0 that the interface profile accepts.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { dealInput } from 'dealwright/spec';
 *
 * const [deal] = fc.sample(dealInput({ email: 'user@example.com' }), 1);
 * ```
 */
export function dealInput(references?: DealReferences): fc.Arbitrary<DealInput> {
  return validInput(dealFields(references));
}

/**
 * Deals of version 2.0 that the interface profile accepts.
 *
 * @example
 * ```ts
 * import * as fc from 'fast-check';
 * import { dealV2Input } from 'dealwright/spec';
 *
 * const [deal] = fc.sample(dealV2Input(), 1);
 * ```
 */
export function dealV2Input(references?: DealReferences): fc.Arbitrary<DealV2Input> {
  return validInput(dealV2Fields(references));
}
