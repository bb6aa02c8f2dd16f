/** The contractor of the documentation, with the two members that it leaves out. */
export const contractor = {
  email: 'user@example.com',
  name: 'Name',
  surname: 'Surname',
  country_code: 'AT',
  street: 'Street',
  house_no: '50',
  apartment_no: '5',
  postal_code: '5020',
  city: 'City',
  language: 'en',
  bank_account_currency: 'EUR',
  bank_account_iban: 'AT611904300234573201',
  bank_account_bic: 'SANTATWWXXX',
  pesel: '44051401359',
  nip: '5260250274',
  tax_id: '22-345/6781',
};

/** The deal of the documentation. */
export const deal = {
  partner_id: 'unique-ID-of-deal',
  contractor_email: 'user@example.com',
  name: 'Deal name',
  description: 'Deal description',
  budget: '1000.00',
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
};

/** A deal of version 2.0, without its `partner_id`. */
export const dealV2 = {
  email_freelancer: 'freelancer@example.com',
  title: 'Deal title',
  description: 'Deal description',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'none',
  freelancer_language: 'en',
};

/** The measured bodies: each aggregate valid, and with five fields that break a rule. */
export const measured = {
  'contractor, valid': ['contractor', contractor],
  'contractor, 5 of 16 fields bad': [
    'contractor',
    {
      ...contractor,
      email: 'not an address',
      country_code: 'XX',
      postal_code: '1234567',
      bank_account_currency: 'XXX',
      pesel: '',
    },
  ],
  'deal, valid': ['deal', deal],
  'deal, 5 of 8 fields bad': [
    'deal',
    {
      ...deal,
      contractor_email: 'not an address',
      name: '',
      budget: '-',
      currency: 'EU',
      sub_category_id: '75',
    },
  ],
};

const lengths = [0, 1, 2, 3, 4, 6, 7, 11, 12, 14, 15, 30, 31, 34, 35, 40, 41, 200, 201, 255];
const addresses = [
  "o'brien@example.com",
  'user@localhost',
  'user@-example.com',
  'a@b@c',
  `${'l'.repeat(64)}@example.com`,
  `${'l'.repeat(65)}@example.com`,
  `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(61)}`,
  `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(62)}`,
];
const decimals = ['-', '.', '-.', '1', '1.', '.5', '-.5', '1.234', '9'.repeat(18), '9'.repeat(19)];
const values = [
  ...[undefined, null, true, 1, 30.5, -1, 2 ** 53 - 1, 2 ** 53, {}, []],
  ...['AT', 'XK', 'XX', 'at', 'pl', 'en', 'PL', 'de', 'EUR', 'XCG', 'ANG', 'XXX', 'eur'],
  ...['\ud800', 'a\0b', ' ', '75', ...addresses, ...decimals],
  ...lengths.flatMap((length) => ['a'.repeat(length), '\u{1f600}'.repeat(length)]),
];

/** Bodies that every contender must judge alike, or the comparison means nothing. */
export function trials() {
  const of = (aggregate, valid) =>
    Object.keys(valid).flatMap((field) =>
      values.map((value) => [aggregate, { ...valid, [field]: value }]),
    );
  return [...of('contractor', contractor), ...of('deal', deal)];
}
