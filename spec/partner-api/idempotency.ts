import * as fc from 'fast-check';
import { idempotencyKey, malformedIdempotencyKey } from '../arbitraries-values.js';
import { check, equal, errOf, holds, okOf } from '../expectations.js';
import { creates } from './creates.js';
import { namesIn, versions } from './deals.js';
import { invalid, plain } from './errors.js';
import { everyStranger, group, strangers } from './subject.js';

/** For each version, changes that make another input. */
const changes = {
  '1.0': { amount: '1000.01', more: { work_days: 31 } },
  '2.0': { amount: '500.01', more: { copyright_transfer: 'none' } },
} as const;

/** Decision 2.7: a create that is repeated with its key gets its first answer. */
export const idempotency = group(
  'idempotency keys',
  {
    must: {
      '2.7/replay':
        'A create that comes again with its key gets its first answer, as often as it is asked; without it, it is a conflict.',
      '2.7/malformed-key':
        'A key that is not 1 to 255 visible ASCII characters is refused before anything else is judged.',
      '2.7/other-input':
        'A key that was used is refused for other input, also of the other version.',
      '2.7/canonical-input':
        'Two inputs that differ in their writing, in defaults or in unknown members are the same input to a key.',
      '2.7/scope':
        'Keys are apart: of each partner, of each environment, of contractors and of deals.',
      '2.7/order-of-judgement':
        'A create is judged by its rules, then by its key, then by its natural key, then by its contractor.',
      '2.7/failures-not-kept': 'A create that was refused does not keep its key.',
      '2.7/any-key': 'A key may have any visible ASCII characters, up to 255 of them.',
    },
  },
  (define) => {
    for (const create of creates) {
      define(
        '2.7/replay',
        async ({ api, operations, key, name }) => {
          const { call, conflict, input, prepare } = operations[create];
          await prepare(api);
          const first = okOf(await call(api, input, key), 'the first');
          for (let repeat = 0; repeat < 3; repeat += 1) {
            equal(okOf(await call(api, input, key), 'a repeat'), first, 'the answer');
          }
          plain(errOf(await call(api, input), 'without the key'), conflict);
          const otherKey = { idempotencyKey: name('another-key') };
          plain(errOf(await call(api, input, otherKey), 'with another key'), conflict);
        },
        create,
      );

      define(
        '2.7/malformed-key',
        async ({ api, operations }) => {
          const { call, input } = operations[create];
          const property = fc.asyncProperty(malformedIdempotencyKey(), async (malformed) => {
            const options = { idempotencyKey: malformed };
            plain(errOf(await call(api, {}, options), 'in English'), 'invalid_idempotency_key');
            const polish = await call(api, input, { ...options, language: 'pl' });
            plain(errOf(polish, 'in Polish'), 'invalid_idempotency_key', 'pl');
          });
          await holds(property, { numRuns: 15 });
        },
        create,
      );
    }

    for (const version of versions) {
      define(
        '2.7/malformed-key',
        async ({ api, file, name }) => {
          const none =
            version === '1.0' ? { id: Number.MAX_SAFE_INTEGER } : { partner_id: name('none') };
          const property = fc.asyncProperty(malformedIdempotencyKey(), async (malformed) => {
            const options = { idempotencyKey: malformed };
            for (const upload of [file, {} as typeof file]) {
              const refused = errOf(await api.uploadFile(none, upload, options), 'in English');
              plain(refused, 'invalid_idempotency_key');
            }
            const polish = await api.uploadFile(none, file, { ...options, language: 'pl' });
            plain(errOf(polish, 'in Polish'), 'invalid_idempotency_key', 'pl');
          });
          await holds(property, { numRuns: 15 });
        },
        `uploadFile, ${version}`,
      );

      const { create, title, amount } = namesIn[version];

      define(
        '2.7/other-input',
        async ({ api, operations, key, name }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          okOf(await call(api, input, key), 'the deal');
          const others = [{ partner_id: name('another') }, { [amount]: changes[version].amount }];
          for (const change of [...others, changes[version].more]) {
            const result = await call(api, { ...input, ...change }, { ...key, language: 'pl' });
            plain(errOf(result, 'another deal'), 'idempotency_key_reused', 'pl');
          }
        },
        create,
      );

      define(
        '2.7/any-key',
        async ({ api, operations, name, prefix }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const used = new Set<string>();
          const property = fc.asyncProperty(idempotencyKey(), async (drawn) => {
            // a key of its own: others have used the short ones
            const each = { idempotencyKey: `${prefix}${drawn}`.slice(0, 255) };
            if (used.has(each.idempotencyKey)) return;
            const deal = { ...input, partner_id: name(`deal-${used.size}`) };
            used.add(each.idempotencyKey);
            const first = okOf(await call(api, deal, each), 'first');
            equal(okOf(await call(api, deal, each), 'repeat'), first, 'the answer');
          });
          await holds(property, { numRuns: 30 });
          check(used.size > 1, 'several keys were tried');
        },
        create,
      );

      for (const stranger of everyStranger) {
        define(
          '2.7/scope',
          async ({ api, [stranger]: view, operations, key }) => {
            const { call, input, prepare } = operations[create];
            const answers = [];
            for (const [each, own] of [
              [api, 'Own'],
              [view, 'Theirs'],
            ] as const) {
              await prepare(each);
              const named = { ...input, [title]: own };
              answers.push([each, named, okOf(await call(each, named, key), own)] as const);
            }
            for (const [each, named, answer] of answers) {
              equal(okOf(await call(each, named, key), 'a repeat'), answer, 'each gets its own');
            }
          },
          `${strangers[stranger]}, ${create}`,
        );
      }
    }

    define(
      '2.7/other-input',
      async ({ api, contractor, key }) => {
        okOf(await api.registerContractor(contractor, key), 'the contractor');
        const named = await api.registerContractor({ ...contractor, name: 'Other' }, key);
        plain(errOf(named, 'another name'), 'idempotency_key_reused');
      },
      'registerContractor',
    );

    define(
      '2.7/other-input',
      async ({ api, contractor, deal, dealV2, key, name }) => {
        okOf(await api.registerContractor(contractor), 'the contractor');
        okOf(await api.createDeal(deal, key), 'the deal');
        const other = await api.createDealV2({ ...dealV2, partner_id: name('another') }, key);
        plain(errOf(other, 'a deal of the other version'), 'idempotency_key_reused');
      },
      'both versions',
    );

    define(
      '2.7/canonical-input',
      async ({ api, contractor, deal, key }) => {
        okOf(await api.registerContractor(contractor), 'the contractor');
        const { work_days: _, ...short } = deal;
        const first = okOf(await api.createDeal({ ...short, budget: '01000' }, key), 'the first');
        const same = await api.createDeal({ ...deal, budget: '1000.0', work_days: 30 }, key);
        equal(okOf(same, 'the same after defaults'), first, 'the answer');
        const extra = { ...deal, ignored: true };
        equal(okOf(await api.createDeal(extra, key), 'a member more'), first, 'the answer');
        const longer = await api.createDeal({ ...deal, work_days: 31 }, key);
        plain(errOf(longer, 'other work_days than the default'), 'idempotency_key_reused');
      },
      '1.0',
    );

    define(
      '2.7/canonical-input',
      async ({ api, dealV2, key }) => {
        const create = (change: object) => api.createDealV2({ ...dealV2, ...change }, key);
        const created = okOf(await create({ amount: '500' }), 'a deal');
        for (const change of [{ amount: '500.00' }, { amount: '0500.0' }, { ignored: true }]) {
          const again = okOf(await create(change), JSON.stringify(change));
          equal(again, created, 'the answer, its payment token included');
        }
      },
      '2.0',
    );

    define(
      '2.7/scope',
      async ({ api, contractor, deal, key }) => {
        const registered = okOf(await api.registerContractor(contractor, key), 'the contractor');
        const created = okOf(await api.createDeal(deal, key), 'a deal under the same key');
        const again = await api.registerContractor(contractor, key);
        equal(okOf(again, 'the contractor again'), registered, 'its own answer');
        equal(okOf(await api.createDeal(deal, key), 'the deal again'), created, 'its own answer');
      },
      'a contractor and a deal',
    );

    define(
      '2.7/order-of-judgement',
      async ({ api, contractor, email, key }) => {
        okOf(await api.registerContractor(contractor, key), 'the contractor');
        const broken = await api.registerContractor({ ...contractor, name: '' }, key);
        invalid(errOf(broken, 'validation comes first'), [{ path: ['name'], code: 'too_short' }]);
        const renamed = await api.registerContractor({ ...contractor, email: email('new') }, key);
        plain(errOf(renamed, 'the key is not of this address'), 'idempotency_key_reused');
        const other = await api.registerContractor({ ...contractor, name: 'Other' }, key);
        plain(errOf(other, 'key before e-mail'), 'idempotency_key_reused');
      },
      'registerContractor',
    );

    define(
      '2.7/order-of-judgement',
      async ({ api, contractor, deal, email, key, name }) => {
        const short = [{ path: ['name'], code: 'too_short' }];
        const first = await api.createDeal({ ...deal, name: '' }, key);
        invalid(errOf(first, 'validation comes first'), short);
        okOf(await api.registerContractor(contractor), 'the contractor');
        okOf(await api.createDeal(deal, key), 'the deal');
        // validity is judged before the key
        const still = await api.createDeal({ ...deal, name: '' }, key);
        invalid(errOf(still, 'still first'), short);
        const elsewhere = { ...deal, contractor_email: email('nobody') };
        plain(errOf(await api.createDeal(elsewhere, key), 'key first'), 'idempotency_key_reused');
        plain(errOf(await api.createDeal(elsewhere), 'then partner_id'), 'deal_exists');
        const fresh = { idempotencyKey: name('fresh') };
        plain(errOf(await api.createDeal(elsewhere, fresh), 'then partner_id'), 'deal_exists');
      },
      'createDeal',
    );

    define(
      '2.7/order-of-judgement',
      async ({ api, dealV2, key, name }) => {
        const short = [{ path: ['title'], code: 'too_short' }];
        const first = await api.createDealV2({ ...dealV2, title: '' }, key);
        invalid(errOf(first, 'validation comes first'), short);
        okOf(await api.createDealV2(dealV2, key), 'the deal');
        const still = await api.createDealV2({ ...dealV2, title: '' }, key);
        invalid(errOf(still, 'still first'), short);
        const other = { ...dealV2, title: 'Another' };
        plain(errOf(await api.createDealV2(other, key), 'key first'), 'idempotency_key_reused');
        const fresh = { idempotencyKey: name('fresh') };
        plain(errOf(await api.createDealV2(other, fresh), 'then partner_id'), 'deal_exists');
      },
      'createDealV2',
    );

    define(
      '2.7/failures-not-kept',
      async ({ api, contractor, deal, key }) => {
        invalid(errOf(await api.createDeal(deal, key), 'no contractor yet'), [
          { path: ['contractor_email'], code: 'unknown_contractor' },
        ]);
        okOf(await api.registerContractor(contractor), 'the contractor');
        okOf(await api.createDeal(deal, key), 'the key of the failure is free');
      },
      'an unknown contractor',
    );

    for (const create of creates) {
      define(
        '2.7/failures-not-kept',
        async ({ api, operations, key, email, name }) => {
          const { call, conflict, input, prepare } = operations[create];
          await prepare(api);
          okOf(await call(api, input), 'the first');
          plain(errOf(await call(api, input, key), 'a conflict'), conflict);
          const natural =
            create === 'registerContractor'
              ? { email: email('free') }
              : { partner_id: name('free') };
          okOf(await call(api, { ...input, ...natural }, key), 'the key of the failure is free');
        },
        `a conflict, ${create}`,
      );
    }
  },
);
