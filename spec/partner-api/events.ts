import { check, equal, okOf } from '../expectations.js';
import { makeDeal, versions } from './deals.js';
import {
  about,
  createOne,
  endOf,
  feedOf,
  idsOf,
  isOwn,
  timeLineOf,
  typesOf,
  walkTo,
} from './reading-feeds.js';
import { everyStranger, group, strangers, type Views } from './subject.js';

/** The own events of a case since a cursor, up to the last about its deal. */
async function ownSince(views: Views, after: string, types: readonly string[]) {
  const isLast = about(views.deal.partner_id);
  const last = types.at(-1);
  const read = await walkTo(
    feedOf(views.api),
    { after },
    (event) => isLast(event) && event.type === last,
  );
  const own = read.filter(isOwn(views));
  equal(typesOf(own), types, 'the types of the events');
  for (const { environment, partner, actor } of own) {
    equal([environment, actor], [views.environment, 'partner'], 'where it was, and who did it');
    check(typeof partner === 'string' && partner === own[0]?.partner, 'all name one partner');
  }
  equal(new Set(idsOf(read)).size, read.length, 'each has an id of its own');
  return own;
}

/** The events of a deal of each version that was created. */
const ofCreate = {
  '1.0': ['contractor.registered', 'deal.created'],
  '2.0': ['deal.created'],
} as const;

const reason = 'It was withdrawn.';

/** Decision 7: what has happened, told once. */
export const events = group(
  'events',
  {
    must: {
      '7/events/of-a-create':
        'A create has an event of its own, which names environment, partner, subject and actor, and holds the terms.',
      '7/events/of-a-command':
        'A command has an event, the next in the sequence of its deal, with the statuses after it and the reason.',
      '6.7/events/of-a-file': 'A file that was uploaded has the event `work_file.stored`.',
      '2.1/events/own-feed': 'The feed of a tenant has no event of another.',
      '7/events/no-secret':
        'No event holds a payment token, a bank account, a tax number or the number of a person.',
    },
  },
  (define) => {
    define(
      '7/events/of-a-create',
      async (views) => {
        const { api, deal, contractor } = views;
        const start = await endOf(api);
        await createOne(views, '1.0');
        const own = await ownSince(views, start, ofCreate['1.0']);
        equal(
          own.map(({ subject, sequence }) => [subject, sequence]),
          [
            [`contractor:${contractor.email}`, 1],
            [`deal:${deal.partner_id}`, 1],
          ],
          'the subjects, and the first of each',
        );
        const { partner_id, contractor_email, name, budget, currency, work_days } = deal;
        const terms = { partner_id, contractor_email, name, budget, currency, work_days };
        const { sub_category_id } = deal;
        equal(own[1]?.data, { api_version: '1.0', ...terms, sub_category_id }, 'the data');
      },
      '1.0',
    );

    define(
      '7/events/of-a-create',
      async (views) => {
        const { api, dealV2 } = views;
        const start = await endOf(api);
        await createOne(views, '2.0');
        const [created] = await ownSince(views, start, ofCreate['2.0']);
        const { partner_id, email_freelancer, title, amount, currency } = dealV2;
        equal([created?.subject, created?.sequence], [`deal:${partner_id}`, 1], 'its first event');
        const terms = { partner_id, email_freelancer, title, amount, currency };
        const data = { api_version: '2.0', ...terms };
        equal(created?.data, { ...Object(created?.data), ...data }, 'the data');
      },
      '2.0',
    );

    for (const version of versions) {
      define(
        '7/events/of-a-command',
        async (views) => {
          const { api, deal } = views;
          const start = await endOf(api);
          await createOne(views, version);
          okOf(await api.cancel(deal.partner_id, { reason }), 'the cancellation');
          const types = [...ofCreate[version], 'deal.cancelled'];
          const cancelled = (await ownSince(views, start, types)).at(-1);
          equal(
            [cancelled?.subject, cancelled?.sequence],
            [`deal:${deal.partner_id}`, 2],
            'its second event',
          );
          equal(
            cancelled?.data,
            {
              partner_id: deal.partner_id,
              status: 'cancelled',
              freelancer_status: 'removed',
              reason,
            },
            'the data of a command',
          );
        },
        version,
      );

      define(
        '6.7/events/of-a-file',
        async (views) => {
          const { api, deal, file } = views;
          const start = await endOf(api);
          const { reference } = await makeDeal(views, version);
          okOf(await api.uploadFile(reference, file), 'a file');
          const types = [...ofCreate[version], 'work_file.stored'];
          const stored = (await ownSince(views, start, types)).at(-1);
          const { subject, sequence } = stored ?? {};
          equal(
            [subject, sequence],
            [`deal:${deal.partner_id}`, 2],
            'the second event of the deal',
          );
        },
        version,
      );
    }

    for (const stranger of everyStranger) {
      define(
        '2.1/events/own-feed',
        async (views) => {
          const { dealV2, name } = views;
          const tenants = [views.api, views[stranger]];
          const starts = await Promise.all(tenants.map((view) => endOf(view)));
          for (const [index, view] of tenants.entries()) {
            okOf(await view.createDealV2({ ...dealV2, title: `of ${index}` }), 'a deal');
            const partner_id = name(`own-${index}`);
            okOf(await view.createDealV2({ ...dealV2, partner_id }), 'a deal');
          }
          const owners = [];
          for (const [index, view] of tenants.entries()) {
            const after = starts[index] ?? '';
            const all = await walkTo(feedOf(view), { after }, about(name(`own-${index}`)));
            const own = all.filter(isOwn(views));
            equal(own.length, 2, 'the number of its own events');
            equal(own[0]?.data, { ...Object(own[0]?.data), title: `of ${index}` }, 'its own deal');
            const line = await timeLineOf(view, dealV2.partner_id)({});
            equal(idsOf(line.results), idsOf(own.slice(0, 1)), 'its own time line');
            owners.push(JSON.stringify([own[0]?.environment, own[0]?.partner]));
          }
          check(owners[0] !== owners[1], 'an event names its tenant');
        },
        strangers[stranger],
      );
    }

    define(
      '7/events/no-secret',
      async (views) => {
        const { api, contractor, deal, operations } = views;
        const start = await endOf(api);
        const numbers = { pesel: '44051401359', nip: '5261040828' };
        okOf(await api.registerContractor({ ...contractor, ...numbers }), 'the contractor');
        okOf(await operations.createDeal.call(api, deal), 'a deal');
        const own = await ownSince(views, start, ofCreate['1.0']);
        const all = JSON.stringify(own);
        const secrets = {
          'the account': contractor.bank_account_iban,
          'the code of the bank': contractor.bank_account_bic,
          'the tax number': contractor.tax_id,
          'the number of a person': numbers.pesel,
          'the number of a company': numbers.nip,
        };
        check(all.includes(contractor.email), 'the address is told');
        for (const [what, secret] of Object.entries(secrets)) {
          check(secret !== undefined && !all.includes(secret), `no event holds ${what}`);
        }
      },
      'of a contractor',
    );

    for (const [variant, isWorked] of [
      ['of a deal', false],
      ['of commands', true],
    ] as const) {
      define(
        '7/events/no-secret',
        async (views) => {
          const { api, dealV2 } = views;
          const start = await endOf(api);
          const { payment_token } = okOf(await api.createDealV2(dealV2), 'a deal');
          const types: string[] = [...ofCreate['2.0']];
          if (isWorked) {
            okOf(await api.invite(dealV2.partner_id), 'the invitation');
            okOf(await api.cancel(dealV2.partner_id, { reason }), 'the cancellation');
            types.push('deal.invited', 'deal.cancelled');
          }
          const all = JSON.stringify(await ownSince(views, start, types));
          check(all.includes(dealV2.partner_id), 'the deal is named');
          check(!all.includes(payment_token), 'no event holds the payment token');
        },
        variant,
      );
    }
  },
);
