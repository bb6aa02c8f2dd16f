import { answering } from './changes.js';
import {
  codePoints,
  contractorPath,
  dealPath,
  dealV2Path,
  mends,
  mendsText,
  refuses,
  refusesText,
  says,
} from './fields-changes.js';
import type { Mutant } from './mutant.js';

const table = (
  rows: readonly (readonly [law: string, name: string, fetch: Mutant['fetch']])[],
): Mutant[] => rows.map(([law, name, fetch]) => ({ law, name, fetch }));

const own = () => `${crypto.randomUUID()}@example.com`;

/** Takes the addresses that fit for others. */
const takesEmail = (fits: RegExp) =>
  mendsText(contractorPath, 'email', (email) => (fits.test(email) ? own() : email));

/** Takes the budgets that fit for others. */
const takesBudget = (fits: RegExp) =>
  mendsText(dealPath, 'budget', (budget) => (fits.test(budget) ? '5.00' : budget));

const missing = (value: unknown) => value === undefined;

const contractors = table([
  [
    'i1.0/contractor/created',
    'house_no is required',
    refuses(contractorPath, 'house_no', 'required', missing),
  ],
  [
    'i1.0/contractor/name/required',
    'a missing name is empty',
    mends(contractorPath, (members) => ('name' in members ? {} : { name: '-' })),
  ],
  [
    'i1.0/contractor/bank_account_iban/required',
    'the account may follow later',
    mends(contractorPath, ({ bank_account_iban = 'AT611904300234573201' }) => ({
      bank_account_iban,
    })),
  ],
  [
    'i1.0/contractor/surname/min',
    'an empty surname is one',
    mendsText(contractorPath, 'surname', (surname) => surname || '-'),
  ],
  [
    'i1.0/contractor/house_no/min',
    'an empty optional text is left out',
    mendsText(contractorPath, 'house_no', (text) => text || '-'),
  ],
  [
    'i1.0/contractor/bank_account_iban/min',
    'an account of 14 characters',
    mendsText(contractorPath, 'bank_account_iban', (iban) =>
      codePoints(iban) === 14 ? `${iban}0` : iban,
    ),
  ],
  [
    'i1.0/contractor/postal_code/max',
    'a postal code of 5 characters at most',
    refusesText(contractorPath, 'postal_code', 'too_long', (code) => codePoints(code) === 6),
  ],
  [
    'i1.0/contractor/postal_code/max',
    'a postal code of 7 characters at most',
    mendsText(contractorPath, 'postal_code', (code) => (codePoints(code) === 7 ? '5020' : code)),
  ],
  [
    'i1.0/contractor/pesel/max',
    'UTF-16 is counted',
    refusesText(contractorPath, 'pesel', 'too_long', (pesel) => pesel.length > 11),
  ],
  [
    'i1.0/contractor/tax_id/max',
    'bytes are counted',
    refusesText(
      contractorPath,
      'tax_id',
      'too_long',
      (id) => new TextEncoder().encode(id).length > 30,
    ),
  ],
  [
    'i1.0/contractor/country_code/known',
    'XK is no country',
    refusesText(contractorPath, 'country_code', 'unknown_country', (code) => code === 'XK'),
  ],
  [
    '1.9/fields/countries',
    'the list is older than CW',
    refusesText(contractorPath, 'country_code', 'unknown_country', (code) => code === 'CW'),
  ],
  [
    'i1.0/contractor/country_code/others',
    'a country may be in lower case',
    mendsText(contractorPath, 'country_code', (code) => code.toUpperCase()),
  ],
  [
    'i1.0/contractor/language/known',
    'a language may have blanks at its ends',
    mendsText(contractorPath, 'language', (language) => language.trim()),
  ],
  [
    '1.5/fields/bank-currency',
    'the list is older than SLE',
    refusesText(contractorPath, 'bank_account_currency', 'unknown_currency', (c) => c === 'SLE'),
  ],
  [
    '1.5/fields/bank-currency-old',
    'the kuna is a currency',
    mendsText(contractorPath, 'bank_account_currency', (code) => (code === 'HRK' ? 'EUR' : code)),
  ],
  [
    '1.5/fields/bank-currency-none',
    'XTS is a currency',
    mendsText(contractorPath, 'bank_account_currency', (code) => (code === 'XTS' ? 'EUR' : code)),
  ],
  [
    '1.5/fields/bank-currency-form',
    'a currency may be in lower case',
    mendsText(contractorPath, 'bank_account_currency', (code) => code.toUpperCase()),
  ],
  [
    '1.5/fields/bank-currency-bgn',
    'the lev is a currency',
    mendsText(contractorPath, 'bank_account_currency', (code) => (code === 'BGN' ? 'EUR' : code)),
  ],
]);

const emails = table([
  [
    '1.3/fields/email',
    'no apostrophe in an address',
    refusesText(contractorPath, 'email', 'invalid_email', (email) => email.includes("'")),
  ],
  ['1.3/fields/email-parts', 'an address is what has an @', takesEmail(/.@/)],
  ['1.3/fields/email-domain', 'a dot at the end of a domain', takesEmail(/\w\.$/)],
  ['1.3/fields/email-domain', 'a label of 64 letters', takesEmail(/@d{64}/)],
  [
    '1.3/fields/email-blanks',
    'addresses are trimmed',
    mendsText(contractorPath, 'email', (email) => email.trim()),
  ],
  ['1.3/fields/email-signs', 'addresses of any letters', takesEmail(/^ł/)],
  [
    '1.3/fields/email-local-part',
    '63 characters before the @',
    refusesText(contractorPath, 'email', 'email_local_part_too_long', (e) => e.indexOf('@') > 63),
  ],
  ['1.3/fields/email-length', 'an address of 255 characters', takesEmail(/^[^@]{1,64}@.{190}/)],
  [
    '1.3/fields/email-length-first',
    'the form is judged before the length',
    says((text) => text.replaceAll('"too_long"', '"invalid_email"')),
  ],
  [
    '1.3/fields/email-any',
    'an address begins with a letter or a digit',
    refusesText(dealV2Path, 'email_freelancer', 'invalid_email', (e) => !/^[a-z0-9]/i.test(e)),
  ],
  [
    '1.3/fields/email-stored',
    'the column is too narrow',
    refusesText(dealV2Path, 'email_freelancer', 'too_long', (email) => email.length > 250),
  ],
]);

const deals = table([
  [
    'i1.0/deal/created',
    'work_days is required',
    refuses(dealPath, 'work_days', 'required', missing),
  ],
  [
    'i1.0/deal/description/required',
    'a missing description is empty',
    mends(dealPath, ({ description = '-' }) => ({ description })),
  ],
  ['i1.0/deal/name/min', 'a name may be empty', mendsText(dealPath, 'name', (name) => name || '-')],
  [
    'i1.0/deal/partner_id/max',
    'a partner_id of 39 characters at most',
    refusesText(dealPath, 'partner_id', 'too_long', (id) => codePoints(id) === 40),
  ],
  [
    'i1.0/deal/name/max',
    'a name of 201 characters',
    mendsText(dealPath, 'name', (name) => (codePoints(name) === 201 ? 'name' : name)),
  ],
  [
    '1.2/fields/code-points',
    'a partner_id is counted in UTF-16',
    refusesText(dealV2Path, 'partner_id', 'too_long', (id) => id.length > 40),
  ],
  [
    '1.1/fields/no-maximum',
    'a description of version 1.0 of 20,000 characters at most',
    refusesText(dealPath, 'description', 'too_long', (text) => codePoints(text) > 20_000),
  ],
  [
    'i1.0/deal/currency/length',
    'a currency of letters alone',
    refusesText(dealPath, 'currency', 'unknown_currency', (code) => /[^A-Z ]/.test(code)),
  ],
  [
    'i1.0/deal/budget/sign',
    'a budget is not negative',
    refusesText(dealPath, 'budget', 'not_negative', (budget) => /^-.*[1-9]/.test(budget)),
  ],
  [
    'i1.0/deal/sub_category_id/known',
    'ids of 32 bits',
    mends(dealPath, ({ sub_category_id: id }) => (id === 2 ** 31 ? { sub_category_id: 75 } : {})),
  ],
  [
    'i1.0/deal/contractor_email/case',
    'addresses are compared exactly',
    refusesText(dealPath, 'contractor_email', 'unknown_contractor', (e) => /[A-Z]/.test(e)),
  ],
  [
    'i1.0/deal/contractor_email/exists',
    'a deal makes its contractor',
    answering(async (response) => {
      const text = await response.clone().text();
      if (!text.includes('"unknown_contractor"')) return response;
      return Response.json({ success: true, data: { id: 1, stage_ids: [1] } }, { status: 201 });
    }),
  ],
  [
    '2.7/fields/contractor-last',
    'an unknown contractor is told beside other issues',
    answering(async (response, request) => {
      const error = await response.clone().json();
      if (response.status !== 400 || !request.url.endsWith(dealPath)) return response;
      const unknown = { path: ['contractor_email'], code: 'unknown_contractor', params: {} };
      return Response.json({ ...error, errors: [...error.errors, unknown] }, { status: 400 });
    }),
  ],
  [
    '1.10/fields/work-days-default',
    'a deal without work_days has 14',
    mends(dealPath, ({ work_days = 14 }) => ({ work_days })),
  ],
  [
    '3/deal/title/required',
    'a missing title is that of all',
    mends(dealV2Path, ({ title = 'Deal' }) => ({ title })),
  ],
  [
    '3/deal/title/min',
    'a title may be empty',
    mendsText(dealV2Path, 'title', (title) => title || '-'),
  ],
  [
    '3/deal/description/max',
    'a description of 10,000 characters at most',
    refusesText(dealV2Path, 'description', 'too_long', (text) => codePoints(text) > 10_000),
  ],
  [
    '3/deal/amount/positive',
    'an amount may be zero',
    mendsText(dealV2Path, 'amount', (amount) => (/^0+$/.test(amount) ? '5' : amount)),
  ],
  [
    '3/deal/subcategory_id/known',
    'a subcategory is not looked up',
    mends(dealV2Path, ({ subcategory_id: id }) => (id === -1 ? { subcategory_id: 75 } : {})),
  ],
  [
    '3/deal/copyright_transfer/known',
    'there is always a copyright transfer',
    refusesText(dealV2Path, 'copyright_transfer', 'not_allowed', (kind) => kind === 'none'),
  ],
  [
    '3/deal/freelancer_language/known',
    'a language may be in upper case',
    mendsText(dealV2Path, 'freelancer_language', (language) => language.toLowerCase()),
  ],
]);

const money = table([
  [
    '1.4/fields/money',
    'no point without a digit after it',
    refusesText(dealPath, 'budget', 'invalid_decimal', (budget) => budget.endsWith('.')),
  ],
  [
    '1.4/fields/money-string',
    'money may be a number',
    mends(dealPath, ({ budget }) => (typeof budget === 'number' ? { budget: `${budget}` } : {})),
  ],
  ['1.4/fields/money-digits', '19 digits', takesBudget(/^[1-9]\d{18}/)],
  [
    '1.4/fields/money-digits',
    'a zero more is no digit',
    mendsText(dealPath, 'budget', (budget) => budget.replace(/^0+(?=\d)/, '')),
  ],
  [
    '1.4/fields/money-fraction',
    'money is rounded',
    mendsText(dealPath, 'budget', (budget) => budget.replace(/(\.\d\d)\d+$/, '$1')),
  ],
  ['1.4/fields/money-no-digit', 'what matches the pattern is money', takesBudget(/^-?\.?$/)],
  ['1.4/fields/money-signs', 'a plus', takesBudget(/^\+\d/)],
  [
    '1.4/fields/money-numbers',
    'what JavaScript reads as a number is money',
    takesBudget(/^\d+e\d+$/),
  ],
  ['1.4/fields/money-numbers', 'a comma', takesBudget(/^\d+,\d+$/)],
  [
    '1.4/fields/money-blanks',
    'a line break before the end, as `$` of Python allows',
    takesBudget(/\d\n$/),
  ],
  ['1.4/fields/money-ascii', 'digits of any script', takesBudget(/^\p{Nd}+(\.\p{Nd}+)?$/u)],
  [
    '1.4/fields/money-canonical',
    'money is shown as a number prints it',
    says((text) => text.replace(/"amount":"(\d+)\.00"/g, '"amount":"$1.0"')),
  ],
  [
    '1.4/fields/money-canonical',
    'zero with a minus',
    says((text) => text.replace('"budget":"0.00"', '"budget":"-0.00"')),
  ],
]);

export const mutants: readonly Mutant[] = [...contractors, ...emails, ...deals, ...money];
