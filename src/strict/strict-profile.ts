import { err } from 'neverthrow';
import * as v from 'valibot';
import { contractorEntries } from '../domain/deals/contractor.js';
import { dealEntries } from '../domain/deals/deal.js';
import { dealV2Entries } from '../domain/deals/deal-v2.js';
import type { Profile } from '../domain/deals/profile.js';
import { amendmentFields, createProposalParser } from '../domain/deals/proposal-input.js';
import { copyMembers, createParser, type Parser } from '../domain/input/parser.js';
import { currencyCodes, knownCurrency } from '../domain/values/codes.js';
import { tooFine } from '../domain/values/currency-unit.js';
import { parseMoney, positive } from '../domain/values/money.js';
import { rule } from '../domain/values/rule.js';
import type { ValueSets } from '../domain/values/value-sets.js';
import { bic, iban } from './accounts.js';
import { nip, pesel } from './tax-numbers.js';

/** Unicode's White_Space alone. Another rule refuses empty text. */
const whiteSpace = /^\p{White_Space}+$/u;

type TextSchema = v.GenericSchema<string, string>;

/** The rules of a text field of the interface, and a rule that it is not blank. */
function filled<const S extends TextSchema>(schema: S) {
  return v.pipe(
    schema,
    rule('blank', (value: string) => !whiteSpace.test(value), {}),
  );
}

function contractor() {
  const fields = contractorEntries();
  return v.object({
    ...fields,
    name: filled(fields.name),
    surname: filled(fields.surname),
    street: filled(fields.street),
    house_no: v.exactOptional(filled(fields.house_no.wrapped)),
    apartment_no: v.exactOptional(filled(fields.apartment_no.wrapped)),
    postal_code: filled(fields.postal_code),
    city: filled(fields.city),
    bank_account_iban: v.pipe(filled(fields.bank_account_iban), iban()),
    bank_account_bic: v.exactOptional(v.pipe(filled(fields.bank_account_bic.wrapped), bic())),
    pesel: v.exactOptional(v.pipe(filled(fields.pesel.wrapped), pesel())),
    nip: v.exactOptional(v.pipe(filled(fields.nip.wrapped), nip())),
    tax_id: v.exactOptional(filled(fields.tax_id.wrapped)),
  });
}

const [min, max] = [1, Number.MAX_SAFE_INTEGER];
const someDays = () =>
  rule('out_of_range', (days: number) => days >= min && days <= max, { min, max });

function deal() {
  const fields = dealEntries();
  return v.object({
    ...fields,
    partner_id: filled(fields.partner_id),
    name: filled(fields.name),
    description: filled(fields.description),
    budget: v.pipe(fields.budget, positive()),
    currency: v.pipe(filled(fields.currency), knownCurrency()),
    work_days: v.exactOptional(
      v.pipe(fields.work_days.wrapped, someDays()),
      fields.work_days.default,
    ),
  });
}

function dealV2(sets: ValueSets, descriptionLimit?: number) {
  const fields = dealV2Entries(sets, descriptionLimit);
  return v.object({
    ...fields,
    partner_id: filled(fields.partner_id),
    title: filled(fields.title),
    description: filled(fields.description),
    currency: v.pipe(filled(fields.currency), knownCurrency()),
  });
}

function amendment(sets: ValueSets, descriptionLimit?: number) {
  const fields = amendmentFields(sets, descriptionLimit);
  return {
    ...fields,
    title: filled(fields.title),
    description: filled(fields.description),
    amount: v.pipe(fields.amount, positive()),
    work_days: v.pipe(fields.work_days, someDays()),
  };
}

/** Adds the rule about two fields that are right each: the currency has a unit for the amount. */
function inUnits<T extends { readonly currency: string }>(
  name: 'amount' | 'budget',
  parse: Parser<T>,
): Parser<T> {
  return (input) => {
    const members = copyMembers(input);
    const parsed = parse(members ?? input);
    const isRight = (field: string) =>
      parsed.isOk() || !parsed.error.some(({ path }) => path[0] === field);
    if (members === undefined || !isRight(name) || !isRight('currency')) return parsed;
    const amount = parseMoney(String(members[name]));
    const found = tooFine({ [name]: amount }, String(members['currency']));
    return found.length === 0 ? parsed : err([...(parsed.isErr() ? parsed.error : []), ...found]);
  };
}

/**
 * The interface's rules and the rules that real payouts need (decision 1.1): IBAN (length and
 * format of its country, check digits), BIC (ISO 9362), PESEL (date, check digit), NIP (check
 * digit), currencies that are in use, money above zero and no finer than its currency's unit
 * (decision 10.13), at least one day of work, and no text that is white space alone. Every issue
 * names its rule. Values are kept as given.
 *
 * `interfaceProfile` accepts every value that it accepts.
 *
 * @example
 * ```ts
 * import { defaultValueSets } from 'dealwright';
 * import { strictProfile } from 'dealwright/strict';
 *
 * const { parseContractor } = strictProfile(defaultValueSets);
 * const issues = parseContractor({ bank_account_iban: 'AT611904300234573202' });
 * if (issues.isErr()) {
 *   issues.error.some(({ code }) => code === 'iban_wrong_checksum'); // true
 * }
 * ```
 */
export const strictProfile: Profile = (sets, descriptionLimit) => ({
  name: 'strict',
  currencies: [...currencyCodes],
  parseContractor: createParser(contractor()),
  wholeUnits: true,
  parseDeal: inUnits('budget', createParser(deal())),
  parseDealV2: inUnits('amount', createParser(dealV2(sets, descriptionLimit))),
  parseProposal: createProposalParser(amendment(sets, descriptionLimit)),
});
