import { isPaymentToken } from '../../src/domain/deals/deal-v2.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { contractor, type DefineCase, deal, dealV2, plain } from './subject.js';

/** The examples of the interface, to the letter. */
export function examples(define: DefineCase): void {
  define('registers the documented contractor, once', async ({ api }) => {
    const first = okOf(await api.registerContractor(contractor), 'the first registration');
    equal(first, { contractor_email: 'user@example.com' }, 'the answer');
    plain(errOf(await api.registerContractor(contractor), 'the second'), 'contractor_exists');
  });

  define('creates the documented deal with its stage, once', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const created = okOf(await api.createDeal(deal), 'the first deal');
    equal(Object.keys(created).sort(), ['id', 'stage_ids'], 'the members of the answer');
    check(isId(created.id), 'the id is a positive integer');
    check(created.stage_ids.length === 1 && created.stage_ids.every(isId), 'it has one stage');
    plain(errOf(await api.createDeal(deal), 'the second'), 'deal_exists');
  });

  define(
    'creates a deal of version 2.0 for a freelancer who is not registered',
    async ({ api }) => {
      const created = okOf(await api.createDealV2(dealV2), 'the first deal');
      const { payment_token, ...statuses } = created;
      equal(statuses, { freelancer_status: 'new', status: 'created' }, 'the statuses');
      check(isPaymentToken(payment_token), 'the form of the payment token');
      plain(errOf(await api.createDealV2(dealV2), 'the second'), 'deal_exists');
    },
  );

  define('answers in Polish on request', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const polish = { language: 'pl' } as const;
    plain(
      errOf(await api.registerContractor(contractor, polish), 'the second'),
      'contractor_exists',
      'pl',
    );
    okOf(await api.createDeal(deal, polish), 'the deal');
    plain(errOf(await api.createDeal(deal, polish), 'the second deal'), 'deal_exists', 'pl');
  });

  define('gives every payment token once', async ({ api }) => {
    const tokens = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      const created = await api.createDealV2({ ...dealV2, partner_id: `deal-${index}` });
      tokens.add(okOf(created, 'a deal').payment_token);
    }
    equal(tokens.size, 20, 'the number of different tokens');
  });

  define('gives each deal and each stage an id of its own', async ({ api, other }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const deals = new Set<number>();
    const stages = new Set<number>();
    for (let index = 0; index < 10; index += 1) {
      for (const partner of [api, other]) {
        const created = await partner.createDeal({ ...deal, partner_id: `deal-${index}` });
        const { id, stage_ids } = okOf(created, 'a deal');
        deals.add(id);
        for (const stage_id of stage_ids) stages.add(stage_id);
      }
    }
    equal([deals.size, stages.size], [20, 20], 'the numbers of different ids');
  });
}

function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
