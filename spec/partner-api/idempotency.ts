import * as fc from 'fast-check';
import { idempotencyKey, malformedIdempotencyKey } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import {
  contractor,
  type DefineCase,
  deal,
  dealV2,
  file,
  invalid,
  operations,
  plain,
} from './subject.js';

const key = { idempotencyKey: 'the-key' };

/** Decision 2.7: a create that is repeated with its key gets its first answer. */
export function idempotency(define: DefineCase): void {
  for (const { name, input, call } of operations) {
    define(`${name} repeats its first answer, as often as it is asked`, async ({ api }) => {
      if (name !== 'registerContractor')
        okOf(await api.registerContractor(contractor), 'contractor');
      const first = okOf(await call(api, input, key), 'the first');
      for (let repeat = 0; repeat < 3; repeat += 1) {
        equal(okOf(await call(api, input, key), 'a repeat'), first, 'the answer');
      }
      const conflict = name === 'registerContractor' ? 'contractor_exists' : 'deal_exists';
      plain(errOf(await call(api, input), 'without the key'), conflict);
      const otherKey = { idempotencyKey: 'another-key' };
      plain(errOf(await call(api, input, otherKey), 'with another key'), conflict);
    });

    define(`${name} refuses a malformed key before anything else`, async ({ api }) => {
      const property = fc.asyncProperty(malformedIdempotencyKey(), async (malformed) => {
        const options = { idempotencyKey: malformed };
        plain(errOf(await call(api, {}, options), 'in English'), 'invalid_idempotency_key');
        const polish = await call(api, input, { ...options, language: 'pl' });
        plain(errOf(polish, 'in Polish'), 'invalid_idempotency_key', 'pl');
      });
      await holds(property, { numRuns: 15 });
    });
  }

  define('refuses a key that was used with other input', async ({ api }) => {
    okOf(await api.registerContractor(contractor, key), 'the contractor');
    const named = await api.registerContractor({ ...contractor, name: 'Other' }, key);
    plain(errOf(named, 'another name'), 'idempotency_key_reused');

    okOf(await api.createDeal(deal, key), 'the deal');
    for (const change of [{ partner_id: 'another' }, { budget: '1000.01' }, { work_days: 31 }]) {
      const result = await api.createDeal({ ...deal, ...change }, { ...key, language: 'pl' });
      plain(errOf(result, 'another deal'), 'idempotency_key_reused', 'pl');
    }
    const other = await api.createDealV2({ ...dealV2, partner_id: 'another' }, key);
    plain(errOf(other, 'a deal of the other version'), 'idempotency_key_reused');
  });

  define('compares what was understood, not how it was written', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const { work_days: _, ...short } = deal;
    const first = okOf(await api.createDeal({ ...short, budget: '01000' }, key), 'the first');
    const same = await api.createDeal({ ...deal, budget: '1000.0', work_days: 30 }, key);
    equal(okOf(same, 'the same after defaults'), first, 'the answer');
    const extra = { ...deal, ignored: true };
    equal(okOf(await api.createDeal(extra, key), 'a member more'), first, 'the answer');
    const longer = await api.createDeal({ ...deal, work_days: 31 }, key);
    plain(errOf(longer, 'other work_days than the default'), 'idempotency_key_reused');

    const second = { idempotencyKey: 'second' };
    const input = { ...dealV2, partner_id: 'v2' };
    const created = okOf(await api.createDealV2({ ...input, amount: '500' }, second), 'a 2.0 deal');
    const again = okOf(await api.createDealV2({ ...input, amount: '500.00' }, second), 'again');
    equal(again, created, 'the answer, its payment token included');
  });

  define('keeps keys of partners, environments and kinds apart', async ({ api, other, live }) => {
    const ids = [];
    for (const [index, view] of [api, other, live].entries()) {
      const email = `user-${index}@example.com`;
      okOf(await view.registerContractor({ ...contractor, email }, key), 'a contractor');
      const created = await view.createDeal({ ...deal, contractor_email: email }, key);
      ids.push(okOf(created, 'a deal under the same key'));
    }
    for (const [index, view] of [api, other, live].entries()) {
      const contractor_email = `user-${index}@example.com`;
      const repeat = await view.createDeal({ ...deal, contractor_email }, key);
      equal(okOf(repeat, 'a repeat'), ids[index], 'each gets its own answer');
    }
  });

  define(
    'judges the key before the natural key, and that before the contractor',
    async ({ api }) => {
      invalid(errOf(await api.createDeal({ ...deal, name: '' }, key), 'validation comes first'), [
        { path: ['name'], code: 'too_short' },
      ]);
      okOf(await api.registerContractor(contractor, key), 'the contractor');
      okOf(await api.createDeal(deal, key), 'the deal');
      // validity is judged before the key
      invalid(errOf(await api.createDeal({ ...deal, name: '' }, key), 'still first'), [
        { path: ['name'], code: 'too_short' },
      ]);
      const elsewhere = { ...deal, contractor_email: 'nobody@example.com' };
      plain(errOf(await api.createDeal(elsewhere, key), 'key first'), 'idempotency_key_reused');
      plain(errOf(await api.createDeal(elsewhere), 'then partner_id'), 'deal_exists');
      const fresh = { idempotencyKey: 'fresh' };
      plain(errOf(await api.createDeal(elsewhere, fresh), 'then partner_id'), 'deal_exists');
      const renamed = await api.registerContractor(
        { ...contractor, email: 'new@example.com' },
        key,
      );
      plain(errOf(renamed, 'key before e-mail'), 'idempotency_key_reused');
    },
  );

  define('does not remember failures', async ({ api }) => {
    invalid(errOf(await api.createDeal(deal, key), 'no contractor yet'), [
      { path: ['contractor_email'], code: 'unknown_contractor' },
    ]);
    okOf(await api.registerContractor(contractor), 'the contractor');
    const conflicting = { ...dealV2, partner_id: 'taken' };
    okOf(await api.createDealV2(conflicting), 'a deal');
    const other = { idempotencyKey: 'other' };
    plain(errOf(await api.createDealV2(conflicting, other), 'a conflict'), 'deal_exists');
    okOf(await api.createDeal(deal, key), 'the key of the failure is free');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'free' }, other), 'so is the other');
  });

  define('takes every key of visible ASCII characters', async ({ api }) => {
    const used = new Map<string, unknown>();
    let count = 0;
    const property = fc.asyncProperty(idempotencyKey(), async (each) => {
      if (used.has(each)) return;
      count += 1;
      const input = { ...dealV2, partner_id: `deal-${count}` };
      const first = okOf(await api.createDealV2(input, { idempotencyKey: each }), 'first');
      const repeat = okOf(await api.createDealV2(input, { idempotencyKey: each }), 'repeat');
      equal(repeat, first, 'the answer');
      used.set(each, first);
    });
    await holds(property, { numRuns: 30 });
    check(used.size > 1, 'several keys were tried');
  });

  define('an upload refuses a malformed key before anything else', async ({ api }) => {
    const property = fc.asyncProperty(malformedIdempotencyKey(), async (malformed) => {
      const options = { idempotencyKey: malformed };
      for (const upload of [file, {} as typeof file]) {
        const refused = errOf(await api.uploadFile({ id: 1 }, upload, options), 'in English');
        plain(refused, 'invalid_idempotency_key');
      }
      const polish = await api.uploadFile({ id: 1 }, file, { ...options, language: 'pl' });
      plain(errOf(polish, 'in Polish'), 'invalid_idempotency_key', 'pl');
    });
    await holds(property, { numRuns: 15 });
  });
}
