import { fieldsOf, must, should } from './data-laws.js';

const { required, least, most } = fieldsOf(
  'register-contractor',
  'i1.0/contractor',
  'a contractor',
);

/** The table of the interface for a contractor, and decision 1.5. */
export const contractorLaws = [
  must('i1.0/contractor/created', 'A contractor with right fields is registered.', {
    'register-contractor': 'body: plain optional-members',
  }),
  ...required('email name surname country_code street postal_code city language'),
  ...required('bank_account_currency bank_account_iban'),
  ...least({ name: 1, surname: 1, street: 1, house_no: 1, apartment_no: 1, postal_code: 1 }),
  ...least({ city: 1, bank_account_iban: 15, bank_account_bic: 1, pesel: 1, nip: 1, tax_id: 1 }),
  ...most({ postal_code: 6, bank_account_iban: 34, bank_account_bic: 11, pesel: 11, tax_id: 30 }),
  must(
    'i1.0/contractor/country_code/known',
    '`country_code` of a contractor is a code of the list, XK and those of small territories too.',
    { 'register-contractor': 'country_code: gb ax bq ss xk' },
  ),
  must(
    'i1.0/contractor/country_code/others',
    'A `country_code` that is not in the list, or not in upper case, is refused.',
    {
      'register-contractor':
        'country_code: small-letters uk eu an zz three-letters one-letter space-after empty',
    },
  ),
  must('i1.0/contractor/language/known', '`language` of a contractor is `pl` or `en`.', {
    'register-contractor': 'language: pl empty unknown capitals space-after name-of-a-property',
  }),
  must(
    '1.5/fields/bank-currency',
    '`bank_account_currency` may be a currency that is in use: XCG, ZWG and SLE too.',
    { 'register-contractor': 'bank_account_currency: pln xau xcg sle zwg' },
  ),
  must(
    '1.5/fields/bank-currency-old',
    'A `bank_account_currency` that is no longer in use is refused: ANG, CUC, HRK, SLL, ZWL.',
    { 'register-contractor': 'bank_account_currency: ang cuc hrk sll zwl' },
  ),
  should('1.5/fields/bank-currency-bgn', 'BGN, which ended with 2025, is refused.', {
    'register-contractor': 'bank_account_currency: bgn',
  }),
  must('1.5/fields/bank-currency-none', 'The codes XXX and XTS, no currencies, are refused.', {
    'register-contractor': 'bank_account_currency: xxx xts',
  }),
  must(
    '1.5/fields/bank-currency-form',
    'A `bank_account_currency` that is not three upper-case letters of a code is refused.',
    {
      'register-contractor':
        'bank_account_currency: unknown small-letters two-letters four-letters signs empty',
    },
  ),
];
