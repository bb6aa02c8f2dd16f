import { equal, errOf, okOf } from '../expectations.js';
import { namesIn, versions } from './deals.js';
import { invalid, plain, told } from './errors.js';
import { everyStranger, group, strangers } from './subject.js';

/** Decisions 2.1 to 2.3: the names of deals and contractors, and their scopes. */
export const identity = group(
  'identity',
  {
    must: {
      '2.2/across-versions': 'A `partner_id` names one deal across both versions.',
      '2.2/code-points':
        'A `partner_id` is compared code point by code point: nothing is folded, trimmed or normalised.',
      '2.1/partner-id-of-each-tenant':
        'Each partner, and each environment, has a deal of its own under the same `partner_id`.',
      '2.3/known-to-all-partners':
        'A contractor is known to all partners of its environment, and nothing tells who registered it.',
      '2.3/unknown-elsewhere':
        'A contractor is not known in the other environment, which has its own of the same address.',
      '1.3/ascii-case':
        'Two addresses that differ in the case of ASCII letters are one; an address stays as it was sent.',
    },
  },
  (define) => {
    define('2.2/across-versions', async ({ api, contractor, deal, dealV2, name }) => {
      okOf(await api.registerContractor(contractor), 'the contractor');
      okOf(await api.createDeal(deal), 'a 1.0 deal');
      plain(errOf(await api.createDealV2(dealV2), 'a 2.0 deal'), 'deal_exists');
      const second = { partner_id: name('second') };
      okOf(await api.createDealV2({ ...dealV2, ...second }), 'a 2.0 deal');
      plain(errOf(await api.createDeal({ ...deal, ...second }), 'a 1.0 deal'), 'deal_exists');
    });

    for (const version of versions) {
      const { create } = namesIn[version];

      define(
        '2.2/code-points',
        async ({ api, operations, prefix }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const alike = [
            ...['id', 'ID', 'id ', ' id', 'i\u0307d', '\u00e9', 'e\u0301', 'ß', 'ss', '0', '00'],
          ].map((text) => `${prefix}${text}`);
          for (const partner_id of alike) {
            okOf(await call(api, { ...input, partner_id }), `the id ${partner_id}`);
          }
          for (const partner_id of alike) {
            const again = await call(api, { ...input, partner_id });
            plain(errOf(again, `the id ${partner_id} again`), 'deal_exists');
          }
        },
        version,
      );

      for (const stranger of everyStranger) {
        define(
          '2.1/partner-id-of-each-tenant',
          async ({ api, [stranger]: view, operations }) => {
            const { call, input, prepare } = operations[create];
            const answers = [];
            for (const each of [api, view]) {
              await prepare(each);
              answers.push(okOf(await call(each, input), 'the same partner_id'));
            }
            for (const each of [api, view]) {
              plain(errOf(await call(each, input), 'the second'), 'deal_exists');
            }
            if (version === '1.0') return;
            const tokens = answers.map((each) => Object(each).payment_token);
            equal(new Set(tokens).size, 2, 'the number of different tokens');
          },
          `${strangers[stranger]}, ${version}`,
        );
      }
    }

    define('2.3/known-to-all-partners', async ({ api, other, contractor, deal }) => {
      okOf(await api.registerContractor(contractor), 'the contractor');
      okOf(await other.createDeal(deal), 'another partner can commission it');
      const own = errOf(await api.registerContractor(contractor), 'again by the same partner');
      const foreign = errOf(await other.registerContractor(contractor), 'again by another');
      equal(told(foreign), told(own), 'nothing tells who registered it');
    });

    define('2.3/unknown-elsewhere', async ({ api, live, contractor, deal }) => {
      okOf(await api.registerContractor(contractor), 'the contractor');
      invalid(errOf(await live.createDeal(deal), 'the other environment does not know it'), [
        { path: ['contractor_email'], code: 'unknown_contractor' },
      ]);
      okOf(await live.registerContractor(contractor), 'the other environment has its own');
    });

    define('1.3/ascii-case', async ({ api, contractor, deal, email: own }) => {
      const email = own('Some.User').replace('example.com', 'Example.COM');
      const registered = await api.registerContractor({ ...contractor, email });
      equal(okOf(registered, 'the contractor'), { contractor_email: email }, 'the answer');
      const folded = { ...contractor, email: email.toLowerCase() };
      plain(errOf(await api.registerContractor(folded), 'folded'), 'contractor_exists');
      okOf(await api.createDeal({ ...deal, contractor_email: email.toUpperCase() }), 'a deal');
    });
  },
);
