import { isPaymentToken } from '../../src/domain/deals/deal-v2.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { creates } from './creates.js';
import { makeDeal, stageOf } from './deals.js';
import { plain } from './errors.js';
import { group } from './subject.js';

/** The examples of the interface, to the letter. */
export const examples = group(
  'the documented examples',
  {
    must: {
      'i1.0/contractor/created-once':
        'A contractor is registered once: the answer is its address, and a second registration is `contractor_exists`.',
      'i1.0/deal/created-once':
        'A deal of version 1.0 is created once: the answer is its id and that of its stage, and a second create is `deal_exists`.',
      'i2.0/deal/created-once':
        'A deal of version 2.0 is created once, for a freelancer who need not be registered; the answer is a payment token and the first statuses.',
      '1.8/language-of-the-call':
        'The message of a refusal is in English, and in Polish if the call asks for that.',
      '3/payment-tokens-differ': 'Each deal of version 2.0 has a payment token of its own.',
      '2.4/ids-are-unique': 'Each deal and each stage of an environment has an id of its own.',
    },
  },
  (define) => {
    define('i1.0/contractor/created-once', async ({ api, contractor }) => {
      const first = okOf(await api.registerContractor(contractor), 'the first registration');
      equal(first, { contractor_email: contractor.email }, 'the answer');
      plain(errOf(await api.registerContractor(contractor), 'the second'), 'contractor_exists');
    });

    define('i1.0/deal/created-once', async ({ api, contractor, deal }) => {
      okOf(await api.registerContractor(contractor), 'the contractor');
      const created = okOf(await api.createDeal(deal), 'the first deal');
      equal(Object.keys(created).sort(), ['id', 'stage_ids'], 'the members of the answer');
      check(isId(created.id), 'the id is a positive integer');
      check(created.stage_ids.length === 1 && created.stage_ids.every(isId), 'it has one stage');
      plain(errOf(await api.createDeal(deal), 'the second'), 'deal_exists');
    });

    define('i2.0/deal/created-once', async ({ api, dealV2 }) => {
      const created = okOf(await api.createDealV2(dealV2), 'the first deal');
      const { payment_token, ...statuses } = created;
      equal(statuses, { freelancer_status: 'new', status: 'created' }, 'the statuses');
      check(isPaymentToken(payment_token), 'the form of the payment token');
      plain(errOf(await api.createDealV2(dealV2), 'the second'), 'deal_exists');
    });

    for (const create of creates) {
      define(
        '1.8/language-of-the-call',
        async ({ api, operations }) => {
          const { input, call, conflict, prepare } = operations[create];
          await prepare(api);
          okOf(await call(api, input, { language: 'pl' }), 'the first');
          const messageIn = async (language?: 'en' | 'pl') => {
            const error = errOf(await call(api, input, language && { language }), 'a second');
            plain(error, conflict, language);
            return error.message;
          };
          const [usual, english, polish] = [
            await messageIn(),
            await messageIn('en'),
            await messageIn('pl'),
          ];
          equal(usual, english, 'English unless a language is named');
          check(polish !== english, 'Polish is another language');
        },
        create,
      );
    }

    define('3/payment-tokens-differ', async ({ api, dealV2, name }) => {
      const tokens = new Set<string>();
      for (let index = 0; index < 20; index += 1) {
        const created = await api.createDealV2({ ...dealV2, partner_id: name(`deal-${index}`) });
        tokens.add(okOf(created, 'a deal').payment_token);
      }
      equal(tokens.size, 20, 'the number of different tokens');
    });

    for (const [variant, isShared] of [
      ['of one partner', false],
      ['of two partners', true],
    ] as const) {
      define(
        '2.4/ids-are-unique',
        async (views) => {
          const { api, contractor, deal, name } = views;
          const partners = isShared ? [api, views.other] : [api];
          okOf(await api.registerContractor(contractor), 'the contractor');
          const deals = new Set<number>();
          const stages = new Set<number>();
          for (let index = 0; index < 10; index += 1) {
            for (const partner of partners) {
              const partner_id = name(`deal-${index}`);
              const created = await partner.createDeal({ ...deal, partner_id });
              const { id, stage_ids } = okOf(created, 'a deal');
              deals.add(id);
              for (const stage_id of stage_ids) stages.add(stage_id);
            }
          }
          const count = 10 * partners.length;
          equal([deals.size, stages.size], [count, count], 'the numbers of different ids');
        },
        variant,
      );
    }

    define(
      '2.4/ids-are-unique',
      async (views) => {
        const stages = new Set<number>();
        for (let index = 0; index < 10; index += 1) {
          stages.add(await stageOf(await makeDeal(views, '2.0', views.name(`deal-${index}`))));
        }
        equal(stages.size, 10, 'the number of different stages');
      },
      'stages of 2.0',
    );
  },
);

function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
