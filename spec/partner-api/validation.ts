import * as fc from 'fast-check';
import { countryCodes, currencyCodes } from '../../src/domain/values/codes.js';
import { emailKey } from '../../src/domain/values/email.js';
import {
  type BrokenInput,
  brokenInput,
  contractorFields,
  contractorInput,
  dealFields,
  dealInput,
  dealV2Fields,
  dealV2Input,
} from '../arbitraries.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import { type CreateName, creates } from './creates.js';
import { namesIn, versions } from './deals.js';
import { invalid } from './errors.js';
import { group, type Views } from './subject.js';

const runs = { numRuns: 60 };

const required: Readonly<Record<CreateName, readonly string[]>> = {
  registerContractor: [
    ...['email', 'name', 'surname', 'country_code', 'street', 'postal_code', 'city', 'language'],
    ...['bank_account_currency', 'bank_account_iban'],
  ],
  createDeal: [
    ...['partner_id', 'contractor_email', 'name', 'description', 'budget', 'currency'],
    'sub_category_id',
  ],
  createDealV2: [
    ...['partner_id', 'email_freelancer', 'title', 'description', 'subcategory_id', 'amount'],
    ...['currency', 'copyright_transfer', 'freelancer_language'],
  ],
};

/** Inputs with fields one step outside of their rules. */
const broken: Readonly<Record<CreateName, (ids: readonly number[]) => fc.Arbitrary<BrokenInput>>> =
  {
    registerContractor: () => brokenInput(contractorFields()),
    createDeal: (subcategories) => brokenInput(dealFields({ subcategories })),
    createDealV2: (subcategories) => brokenInput(dealV2Fields({ subcategories })),
  };

/** Valid inputs of the case, and the natural key of each. */
type Valid = (views: Views) => fc.Arbitrary<{ readonly input: object; readonly key: string }>;
const valid: Readonly<Record<CreateName, Valid>> = {
  registerContractor: ({ prefix }) =>
    contractorInput({ prefix }).map((input) => ({ input, key: emailKey(input.email) })),
  createDeal: ({ contractor, prefix, subcategory }) =>
    dealInput({ email: contractor.email, prefix, subcategories: [subcategory] }).map((input) => ({
      input,
      key: input.partner_id,
    })),
  createDealV2: ({ prefix, subcategory }) =>
    dealV2Input({ prefix, subcategories: [subcategory] }).map((input) => ({
      input,
      key: input.partner_id,
    })),
};

/** The codes of a field of contractors, and texts that only look like one. */
const codes = [
  [
    ...(['1.5/currencies-in-use', 'bank_account_currency', 'unknown_currency'] as const),
    currencyCodes,
    ['ANG', 'CUC', 'HRK', 'SLL', 'ZWL', 'XXX', 'XTS', 'eur', 'EU', 'EURO'],
  ],
  [
    ...(['1.9/country-codes', 'country_code', 'unknown_country'] as const),
    countryCodes,
    ['at', 'UK', 'EU', 'AN', 'ZZ', 'AUT', 'A', 'AT '],
  ],
] as const;

/** The rules of input, from both sides. */
export const validation = group(
  'the rules of input',
  {
    must: {
      '1.8/absent-fields':
        'Every required field that is absent is an issue, all of them at once, in the language of the call.',
      '1.8/no-value-repeated': 'No refusal repeats a value that was sent.',
      '1.8/what-was-allowed': 'An issue says in `params` what was allowed.',
      '5.1/unknown-subcategory':
        'An unknown subcategory is an issue of its field, beside all other issues of the deal.',
      '5.1/unknown-contractor':
        'A deal of version 1.0 is refused as long as its contractor is not registered.',
      '1.8/not-an-object': 'An input that is not an object has one issue, which names no field.',
      '1.7/unknown-members': 'Unknown members of an input are ignored, and do no harm.',
      '1.5/currencies-in-use':
        'The currency of a bank account is one of ISO 4217 that is in use, in upper case.',
      '1.9/country-codes': 'A country is one of the 250 codes of the interface, in upper case.',
      '1.1/valid-input':
        'Every input that the field tables allow is accepted, once for each natural key.',
      '1.1/outside-a-rule':
        'Every field that is one step outside of its rule is an issue with its code, and no other field is.',
    },
  },
  (define) => {
    for (const create of creates) {
      define(
        '1.8/absent-fields',
        async ({ api, operations }) => {
          const messages = new Map<string, readonly string[]>();
          for (const language of ['en', 'pl'] as const) {
            const error = errOf(await operations[create].call(api, {}, { language }), create);
            const issues = required[create].map((field) => ({ path: [field], code: 'required' }));
            invalid(error, issues, language);
            check(error.code === 'validation_failed', 'narrows the type');
            const words = error.errors.map(({ message }) => message);
            check(
              words.every((each) => typeof each === 'string' && each !== ''),
              'each has a message',
            );
            messages.set(language, words);
          }
          const polish = messages.get('pl');
          check(
            messages.get('en')?.every((each, at) => each !== polish?.[at]) ?? false,
            'each message is in the language of the call',
          );
        },
        create,
      );

      define(
        '1.8/no-value-repeated',
        async ({ api, operations }) => {
          const { input, call } = operations[create];
          const sent = 'SENT-BY-THE-CALLER';
          const marked = Object.keys(input).map((name) => [name, sent.repeat(20)]);
          const error = errOf(await call(api, Object.fromEntries(marked)), create);
          check(!JSON.stringify(error).includes(sent), `${create} does not repeat a value`);
        },
        create,
      );

      define(
        '1.8/not-an-object',
        async ({ api, operations }) => {
          const { input: one, call } = operations[create];
          invalid(errOf(await call(api, null), create), [{ path: [], code: 'null_not_allowed' }]);
          for (const input of [undefined, [], [one], 'text', 7, true]) {
            invalid(errOf(await call(api, input), create), [{ path: [], code: 'wrong_type' }]);
          }
        },
        create,
      );

      define(
        '1.7/unknown-members',
        async ({ api, operations }) => {
          const { input, call, prepare } = operations[create];
          await prepare(api);
          const extra = {
            ...input,
            id: 7,
            success: true,
            constructor: 'x',
            more: { deep: [null] },
          };
          const hostile: unknown = JSON.parse(
            JSON.stringify(extra).replace('{', '{"__proto__":{"polluted":true},'),
          );
          okOf(await call(api, hostile), 'the create');
          check(!('polluted' in {}), 'no prototype is polluted');
        },
        create,
      );

      define(
        '1.1/valid-input',
        async (views) => {
          const { api, operations } = views;
          const { call, conflict, prepare } = operations[create];
          await prepare(api);
          const seen = new Set<string>();
          const property = fc.asyncProperty(valid[create](views), async ({ input, key }) => {
            const result = await call(api, input);
            const expected = seen.has(key) ? conflict : 'created';
            seen.add(key);
            equal(result.isOk() ? 'created' : result.error.code, expected, 'the answer');
            if (create === 'registerContractor' && result.isOk()) {
              const { email } = input as { readonly email: string };
              equal(result.value, { contractor_email: email }, 'the address');
            }
          });
          await holds(property, runs);
        },
        create,
      );

      define(
        '1.1/outside-a-rule',
        async ({ api, operations, subcategory }) => {
          const { call } = operations[create];
          const property = fc.asyncProperty(
            broken[create]([subcategory]),
            async ({ input, issues }) => invalid(errOf(await call(api, input), create), issues),
          );
          await holds(property, runs);
        },
        create,
      );
    }

    for (const version of versions) {
      const { create, title, subcategory } = namesIn[version];

      define(
        '1.8/what-was-allowed',
        async ({ api, operations }) => {
          const { input, call } = operations[create];
          const error = errOf(await call(api, { ...input, partner_id: 'x'.repeat(41) }), 'a deal');
          check(error.code === 'validation_failed', 'narrows the type');
          equal(
            error.errors.map(({ message: _, ...said }) => said),
            [{ path: ['partner_id'], code: 'too_long', params: { max: 40 } }],
            'the issue',
          );
        },
        version,
      );

      define(
        '5.1/unknown-subcategory',
        async ({ api, operations }) => {
          const { input, call } = operations[create];
          const unknown = { ...input, [title]: '', [subcategory]: Number.MAX_SAFE_INTEGER };
          invalid(errOf(await call(api, unknown), 'a deal'), [
            { path: [title], code: 'too_short' },
            { path: [subcategory], code: 'unknown_subcategory' },
          ]);
        },
        version,
      );
    }

    for (const [id, field, code, known, others] of codes) {
      define(id, async ({ api, contractor }) => {
        // a name that is too short: no contractor is registered
        const send = async (value: string) =>
          errOf(await api.registerContractor({ ...contractor, name: '', [field]: value }), value);
        const short = { path: ['name'], code: 'too_short' };
        for (const value of known) invalid(await send(value), [short]);
        for (const value of others) invalid(await send(value), [short, { path: [field], code }]);
      });
    }

    define('5.1/unknown-contractor', async ({ api, contractor, deal }) => {
      const issue = { path: ['contractor_email'], code: 'unknown_contractor' };
      invalid(errOf(await api.createDeal(deal), 'a deal'), [issue]);
      okOf(await api.registerContractor(contractor), 'the contractor');
      okOf(await api.createDeal(deal), 'the same deal, once the contractor is there');
    });
  },
);
