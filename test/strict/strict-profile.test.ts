import {
  countryCodes,
  currencyCodes,
  currencyDecimals,
  defaultValueSets,
  interfaceProfile,
} from 'dealwright';
import {
  brokenInput,
  contractorFields,
  dealFields,
  dealV2Fields,
  type InputFields,
  validInput,
} from 'dealwright/spec';
import { strictProfile } from 'dealwright/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bic, iban, nip, pesel, whiteSpace } from './strict-values.js';

const strict = strictProfile(defaultValueSets);
const loose = interfaceProfile(defaultValueSets);

/** The field with other valid values, without blank ones. */
const narrowed = <F extends { readonly valid: fc.Arbitrary<unknown> }>(
  field: F,
  valid: F['valid'] = field.valid,
): F => ({
  ...field,
  valid: valid.filter((value) => typeof value !== 'string' || /\P{White_Space}/u.test(value)),
});

const contractor = contractorFields();
const deal = dealFields();
const dealV2 = dealV2Fields();
/** With cents, so that it fits any amount; those without are below. */
const currency = fc.constantFrom(...currencyCodes).filter((code) => currencyDecimals(code) > 0);

/** The accepted values of the strict profile, for each field. */
const strictContractor: typeof contractor = {
  ...contractor,
  name: narrowed(contractor.name),
  surname: narrowed(contractor.surname),
  street: narrowed(contractor.street),
  house_no: narrowed(contractor.house_no),
  apartment_no: narrowed(contractor.apartment_no),
  postal_code: narrowed(contractor.postal_code),
  city: narrowed(contractor.city),
  bank_account_iban: narrowed(contractor.bank_account_iban, iban()),
  bank_account_bic: narrowed(contractor.bank_account_bic, bic([...countryCodes])),
  pesel: narrowed(contractor.pesel, pesel()),
  nip: narrowed(contractor.nip, nip()),
  tax_id: narrowed(contractor.tax_id),
};
const strictDeal: typeof deal = {
  ...deal,
  partner_id: narrowed(deal.partner_id),
  name: narrowed(deal.name),
  description: narrowed(deal.description),
  budget: narrowed(deal.budget, dealV2.amount.valid),
  currency: narrowed(deal.currency, currency),
  work_days: narrowed(
    deal.work_days,
    fc.oneof(fc.constantFrom(1, Number.MAX_SAFE_INTEGER), fc.integer({ min: 1 })),
  ),
};
const strictDealV2: typeof dealV2 = {
  ...dealV2,
  partner_id: narrowed(dealV2.partner_id),
  title: narrowed(dealV2.title),
  description: narrowed(dealV2.description),
  currency: narrowed(dealV2.currency, currency),
};

type Aggregate = 'parseContractor' | 'parseDeal' | 'parseDealV2';

/** Codes by field, in the order of the fields. */
const codesOf = (parse: Aggregate, input: unknown): readonly (readonly [string, string])[] =>
  strict[parse](input).match(
    () => [],
    (findings) => findings.map(({ path, code }) => [path.join('.'), code] as const),
  );

function accepts<T>(parse: Aggregate, fields: InputFields<T>) {
  fc.assert(
    fc.property(validInput(fields), (input) => {
      const parsed = strict[parse](input);
      expect(parsed.isOk() || parsed.error).toBe(true);
      expect(parsed).toEqual(loose[parse](input));
    }),
  );
}

/** Input that the interface refuses gets the same refusal; other input gets the same value. */
function refusesAtLeast<T>(parse: Aggregate, fields: InputFields<T>) {
  const inputs = fc.oneof(
    validInput(fields),
    brokenInput(fields).map(({ input }) => input),
    fc.anything(),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      const [strictly, loosely] = [strict[parse](input), loose[parse](input)];
      if (strictly.isOk()) expect(loosely).toEqual(strictly);
      if (loosely.isErr()) {
        const findings = strictly.isErr() ? strictly.error : [];
        expect(findings).toEqual(expect.arrayContaining([...loosely.error]));
      }
    }),
  );
}

describe('the strict profile', () => {
  it('takes a contractor who can be paid', () => {
    accepts('parseContractor', strictContractor);
  });

  it('takes a deal of money and days', () => {
    accepts('parseDeal', strictDeal);
  });

  it('takes a 2.0 deal in a currency in use', () => {
    accepts('parseDealV2', strictDealV2);
  });

  it('takes nothing that the interface profile refuses, and refuses it for the same reason', () => {
    refusesAtLeast('parseContractor', contractor);
    refusesAtLeast('parseContractor', strictContractor);
    refusesAtLeast('parseDeal', deal);
    refusesAtLeast('parseDeal', strictDeal);
    refusesAtLeast('parseDealV2', dealV2);
    refusesAtLeast('parseDealV2', strictDealV2);
  });

  it('reports every problem of a body at once', () => {
    const [input] = fc.sample(validInput(strictContractor), { numRuns: 1, seed: 1 });
    const broken = {
      ...input,
      name: '\t',
      bank_account_iban: 'AT611904300234573202',
      bank_account_bic: 'SANTATW',
      pesel: '44023101357',
      nip: '5260001247',
    };
    expect(codesOf('parseContractor', broken)).toEqual([
      ['name', 'blank'],
      ['bank_account_iban', 'iban_wrong_checksum'],
      ['bank_account_bic', 'bic_wrong_length'],
      ['pesel', 'pesel_wrong_date'],
      ['nip', 'nip_wrong_checksum'],
    ]);
  });

  it('uses the sets of values of the host', () => {
    const { parseDealV2 } = strictProfile({ ...defaultValueSets, freelancer_language: ['de'] });
    const [input] = fc.sample(validInput(strictDealV2), 1);
    expect(parseDealV2({ ...input, freelancer_language: 'de' }).isOk()).toBe(true);
    expect(parseDealV2({ ...input, freelancer_language: 'pl' }).isOk()).toBe(false);
  });
});

const blank = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...whiteSpace), minLength: min, maxLength: max });

/** Each text field of a contractor and of the deals, with its bounds. */
const textFields: readonly (readonly [Aggregate, string, min: number, max: number])[] = [
  ['parseContractor', 'name', 1, 50],
  ['parseContractor', 'surname', 1, 50],
  ['parseContractor', 'street', 1, 50],
  ['parseContractor', 'house_no', 1, 50],
  ['parseContractor', 'apartment_no', 1, 50],
  ['parseContractor', 'postal_code', 1, 6],
  ['parseContractor', 'city', 1, 50],
  ['parseContractor', 'bank_account_iban', 15, 34],
  ['parseContractor', 'bank_account_bic', 1, 11],
  ['parseContractor', 'pesel', 1, 11],
  ['parseContractor', 'nip', 1, 50],
  ['parseContractor', 'tax_id', 1, 30],
  ['parseDeal', 'partner_id', 1, 40],
  ['parseDeal', 'name', 1, 200],
  ['parseDeal', 'description', 1, 300],
  ['parseDeal', 'currency', 3, 3],
  ['parseDealV2', 'partner_id', 1, 40],
  ['parseDealV2', 'title', 1, 200],
  ['parseDealV2', 'description', 1, 300],
  ['parseDealV2', 'currency', 3, 3],
];

const samples = {
  parseContractor: validInput(strictContractor),
  parseDeal: validInput(strictDeal),
  parseDealV2: validInput(strictDealV2),
} satisfies Record<Aggregate, fc.Arbitrary<object>>;

describe('blank text', () => {
  it.each(textFields)('is refused: %s, %s', (parse, field, min, max) => {
    fc.assert(
      fc.property(samples[parse] as fc.Arbitrary<object>, blank(min, max), (input, value) => {
        expect(codesOf(parse, { ...input, [field]: value })).toEqual([[field, 'blank']]);
      }),
      { numRuns: 25 },
    );
  });

  it('is every character of White_Space and no other', () => {
    const [input] = fc.sample(samples.parseDeal, 1);
    for (const character of whiteSpace) {
      expect(codesOf('parseDeal', { ...input, name: character })).toEqual([['name', 'blank']]);
      expect(codesOf('parseDeal', { ...input, name: `${character}a${character}` })).toEqual([]);
    }
    // zero-width space, byte order mark, word joiner, Mongolian vowel separator, Hangul filler
    for (const character of ['\u200b', '\ufeff', '\u2060', '\u180e', '\u3164', '.', '\u0001']) {
      expect(codesOf('parseDeal', { ...input, name: character })).toEqual([]);
    }
  });

  it('of no characters is too short, as ever', () => {
    const [input] = fc.sample(samples.parseDeal, 1);
    expect(codesOf('parseDeal', { ...input, name: '' })).toEqual([['name', 'too_short']]);
  });
});

describe('money, time and currency', () => {
  const outside = (parse: Aggregate, field: string, values: fc.Arbitrary<unknown>, code: string) =>
    fc.assert(
      fc.property(samples[parse] as fc.Arbitrary<object>, values, (input, value) => {
        expect(codesOf(parse, { ...input, [field]: value })).toEqual([[field, code]]);
      }),
    );

  it('a budget is greater than zero', () => {
    const [smallest] = fc.sample(samples.parseDeal, 1);
    expect(codesOf('parseDeal', { ...smallest, budget: '.01' })).toEqual([]);
    const negative = dealV2.amount.valid.map((amount) => `-${amount}`);
    const none = fc.constantFrom('0', '-0', '0.00', '.0', '-.00', '-0.01', '0.');
    outside('parseDeal', 'budget', fc.oneof(none, negative), 'not_positive');
  });

  it('work takes a day at least', () => {
    const tooFew = fc.oneof(
      fc.constantFrom(0, -0, -1, Number.MIN_SAFE_INTEGER),
      fc.integer({ min: Number.MIN_SAFE_INTEGER, max: 0 }),
    );
    outside('parseDeal', 'work_days', tooFew, 'out_of_range');
    const [{ work_days: _, ...input } = {}] = fc.sample(samples.parseDeal, 1);
    expect(strict.parseDeal(input)._unsafeUnwrap().work_days).toBe(30);
    expect(strict.parseDeal({ ...input, work_days: 0 })._unsafeUnwrapErr()).toEqual([
      { path: ['work_days'], code: 'out_of_range', params: { min: 1, max: 2 ** 53 - 1 } },
    ]);
  });

  it.each(['parseDeal', 'parseDealV2'] as const)('%s: a currency is in use', (parse) => {
    const unknown = fc.oneof(
      fc.constantFrom('XXX', 'XTS', 'HRK', 'ZWL', 'eur', 'EU ', '€€€', 'XBT'),
      fc
        .string({ minLength: 3, maxLength: 3 })
        .filter((text) => !currencyCodes.has(text) && text.trim() !== ''),
    );
    outside(parse, 'currency', unknown, 'unknown_currency');
  });

  it.each([
    ['parseDeal', 'budget'],
    ['parseDealV2', 'amount'],
  ] as const)('%s: no amount is finer than the unit of its currency', (parse, field) => {
    const input: fc.Arbitrary<object> = samples[parse];
    const codes = fc.constantFrom(
      ...[...currencyCodes].filter((code) => currencyDecimals(code) === 0),
    );
    const units = fc.bigInt(1n, 10n ** 18n - 1n);
    fc.assert(
      fc.property(input, codes, units, fc.nat(99), (given, code, whole, part) => {
        const amount = `${whole}.${String(part).padStart(2, '0')}`;
        const changed = { ...given, currency: code, [field]: amount };
        expect(codesOf(parse, changed)).toEqual(part === 0 ? [] : [[field, 'too_fine']]);
      }),
    );
  });

  it('says it once, beside every other problem, of a currency that is right', () => {
    const [input = {}] = fc.sample(samples.parseDealV2, 1);
    const codes = (changes: object) => codesOf('parseDealV2', { ...input, ...changes });
    const yen = { currency: 'JPY', amount: '.5' };
    expect(strict.parseDealV2({ ...input, ...yen })._unsafeUnwrapErr()).toEqual([
      { path: ['amount'], code: 'too_fine', params: { unit: '1.00' } },
    ]);
    expect(codes({ ...yen, title: ' ' })).toEqual([
      ['title', 'blank'],
      ['amount', 'too_fine'],
    ]);
    expect(codes({ ...yen, amount: '-.5' })).toEqual([['amount', 'not_positive']]);
    expect(codes({ ...yen, amount: 0.5 })).toEqual([['amount', 'wrong_type']]);
    expect(codes({ ...yen, currency: 'jpy' })).toEqual([['currency', 'unknown_currency']]);
    expect(codes({ ...yen, currency: undefined })).toEqual([['currency', 'required']]);
  });

  it('reads each member once', () => {
    const [input = {}] = fc.sample(samples.parseDealV2, 1);
    let reads = 0;
    const once = {
      ...input,
      currency: 'JPY',
      get amount() {
        reads += 1;
        return reads === 1 ? '1.00' : '.5';
      },
    };
    expect(strict.parseDealV2(once)._unsafeUnwrap().amount).toBe(100n);
    expect(reads).toBe(1);
  });
});
