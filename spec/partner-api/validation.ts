import * as fc from 'fast-check';
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
import { contractor, type DefineCase, deal, dealV2, invalid, operations } from './subject.js';

const runs = { numRuns: 60 };

const required: Readonly<Record<string, readonly string[]>> = {
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

/** The rules of input, from both sides. */
export function validation(define: DefineCase): void {
  define('lists every required field that is absent, in English and in Polish', async ({ api }) => {
    for (const { name, call } of operations) {
      for (const [language, message] of [
        ['en', 'is required'],
        ['pl', 'jest wymagane'],
      ] as const) {
        const error = errOf(await call(api, {}, { language }), name);
        const fields = required[name] ?? [];
        invalid(
          error,
          fields.map((field) => ({ path: [field], code: 'required' })),
          language,
        );
        check(error.code === 'validation_failed', 'narrows the type');
        check(
          error.errors.every((issue) => issue.message === message),
          `each says: ${message}`,
        );
      }
    }
  });

  define('says what was allowed, and never what was sent', async ({ api }) => {
    const sent = 'SENT-BY-THE-CALLER';
    const marked = (input: object) =>
      Object.fromEntries(Object.keys(input).map((name) => [name, sent.repeat(20)]));
    for (const { name, input, call } of operations) {
      const error = errOf(await call(api, marked(input)), name);
      check(!JSON.stringify(error).includes(sent), `${name} does not repeat a value`);
    }
    const error = errOf(await api.createDeal({ ...deal, partner_id: 'x'.repeat(41) }), 'a deal');
    check(error.code === 'validation_failed', 'narrows the type');
    equal(
      error.errors,
      [
        {
          path: ['partner_id'],
          code: 'too_long',
          message: 'must have at most 40 characters',
          params: { max: 40 },
        },
      ],
      'the issue',
    );
  });

  define('names an unknown subcategory among all other problems', async ({ api }) => {
    const unknown = 123_456_789;
    const error = errOf(
      await api.createDeal({ ...deal, name: '', sub_category_id: unknown }),
      'a deal',
    );
    invalid(error, [
      { path: ['name'], code: 'too_short' },
      { path: ['sub_category_id'], code: 'unknown_subcategory' },
    ]);
    const second = await api.createDealV2({ ...dealV2, title: '', subcategory_id: unknown });
    invalid(errOf(second, 'a 2.0 deal'), [
      { path: ['title'], code: 'too_short' },
      { path: ['subcategory_id'], code: 'unknown_subcategory' },
    ]);
  });

  define('refuses a deal for a contractor who is not registered', async ({ api }) => {
    const issue = { path: ['contractor_email'], code: 'unknown_contractor' };
    invalid(errOf(await api.createDeal(deal), 'a deal'), [issue]);
    okOf(await api.registerContractor(contractor), 'the contractor');
    okOf(await api.createDeal(deal), 'the same deal, once the contractor is there');
  });

  define('refuses a value that is not an object', async ({ api }) => {
    for (const { name, call } of operations) {
      invalid(errOf(await call(api, null), name), [{ path: [], code: 'null_not_allowed' }]);
      for (const input of [undefined, [], [contractor], 'text', 7, true]) {
        invalid(errOf(await call(api, input), name), [{ path: [], code: 'wrong_type' }]);
      }
    }
  });

  define('ignores members that it does not know', async ({ api }) => {
    const extra = { ...contractor, id: 7, success: true, constructor: 'x', more: { deep: [null] } };
    const hostile = JSON.parse(
      JSON.stringify(extra).replace('{', '{"__proto__":{"polluted":true},'),
    ) as typeof contractor;
    okOf(await api.registerContractor(hostile), 'the registration');
    check(!('polluted' in {}), 'no prototype is polluted');
  });

  define('takes every contractor that the rules allow, each address once', async ({ api }) => {
    const registered = new Set<string>();
    const property = fc.asyncProperty(contractorInput(), async (input) => {
      const result = await api.registerContractor(input);
      const key = emailKey(input.email);
      if (registered.has(key)) equal(errOf(result, 'again').code, 'contractor_exists', 'the code');
      else equal(okOf(result, 'new'), { contractor_email: input.email }, 'the answer');
      registered.add(key);
    });
    await holds(property, runs);
  });

  define('takes every deal that the rules allow, each partner_id once', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const seen = new Set<string>();
    const references = { email: contractor.email };
    const either = fc.oneof(
      dealInput(references).map((input) => ({ input, add: () => api.createDeal(input) })),
      dealV2Input(references).map((input) => ({ input, add: () => api.createDealV2(input) })),
    );
    const property = fc.asyncProperty(either, async ({ input, add }) => {
      const result = await add();
      const isNew = !seen.has(input.partner_id);
      seen.add(input.partner_id);
      equal(result.isOk() ? 'created' : result.error.code, isNew ? 'created' : 'deal_exists', 'it');
    });
    await holds(property, runs);
  });

  const broken: Readonly<Record<string, fc.Arbitrary<BrokenInput>>> = {
    registerContractor: brokenInput(contractorFields()),
    createDeal: brokenInput(dealFields()),
    createDealV2: brokenInput(dealV2Fields()),
  };
  for (const { name, call } of operations) {
    define(`${name} lists every field that is one step outside of its rules`, async ({ api }) => {
      const property = fc.asyncProperty(
        broken[name] ?? fc.constant({ input: {}, issues: [] }),
        async ({ input, issues }) => invalid(errOf(await call(api, input), name), issues),
      );
      await holds(property, runs);
    });
  }
}
