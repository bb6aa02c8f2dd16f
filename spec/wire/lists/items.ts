import { check, equal, show } from '../../expectations.js';
import { createDeal, createDealV2, created } from '../creates/create.js';
import { expectMembers } from '../details/deal.js';
import { group, type Members, type Server, textOf } from '../server.js';
import { manyDeals, namesOf, pageOf, pathOfList, severalDeals, walk } from './list.js';

const members = [
  ...['partner_id', 'api_version', 'title', 'email_freelancer', 'amount', 'currency'],
  ...['status', 'freelancer_status', 'created_at'],
];

/** Section 4: which deals a list has, and what an item says. */
export const listItems = group(
  'items of a list',
  {
    must: {
      '4/list/shape':
        'The answer to a list is 200, and its `data` has `results`, `next` and `previous`.',
      '4/list/item-members': 'An item of a list has all members of section 4.',
      '4/list/item-values': 'An item of a list has the values of its deal.',
      '4/list/item-version':
        'An item of a deal of version 2.0 has `api_version: "2.0"` and no `id`.',
      '4/list/item-time': 'An item of a list has the time of the details of its deal.',
      '4/list/item-money': 'The amount of an item has two digits after the decimal point.',
      '4/list/v1-item': 'A deal of version 1.0 is listed, under the names of 2.0.',
      '4/list/v1-id': 'An item of a deal of version 1.0 has its `id` and `api_version: "1.0"`.',
      '3/list/no-token': 'No item of a list has the payment token of its deal.',
      '4/list/at-once': 'A deal is in the list as soon as its create was answered.',
      '4/list/without-filter': 'A list without a filter has all deals of the partner.',
      '4/list/empty': 'A list that finds nothing has no results and no cursors.',
      '2.1/list/own-alone': 'A list has deals of its own partner alone.',
      '2.1/list/others-name': "A list finds nothing by the `partner_id` of a stranger's deal.",
    },
  },
  (define) => {
    define('4/list/shape', async ({ partner }) => {
      const data = await partner.data('GET', '/api/2.0/deal/');
      expectMembers(data, ['results', 'next', 'previous']);
      const { results, next, previous } = data;
      check(Array.isArray(results), `results is an array\n  actual: ${show(results)}`);
      for (const cursor of [next, previous]) {
        const isCursor = cursor === null || typeof cursor === 'string';
        check(isCursor, `a cursor is text or null\n  actual: ${show(cursor)}`);
      }
    });

    define('4/list/item-members', async (server) => {
      expectMembers((await itemOf(server)).item, members);
    });

    define('4/list/item-values', async (server) => {
      const { sent, item } = await itemOf(server, { amount: '1234.50', currency: 'CHF' });
      for (const name of ['partner_id', 'title', 'email_freelancer', 'amount', 'currency']) {
        equal(item[name], sent[name], `the member ${name} of the item`);
      }
      equal([item['status'], item['freelancer_status']], ['created', 'new'], 'both statuses');
    });

    define('4/list/item-version', async (server) => {
      const { item } = await itemOf(server);
      equal(item['api_version'], '2.0', 'the member api_version');
      check(!Object.hasOwn(item, 'id'), `the item has no id\n  actual: ${show(item['id'])}`);
    });

    define('4/list/item-time', async (server) => {
      const { sent, data, item } = await itemOf(server);
      const { created_at } = await createDealV2.read(server.partner, sent, data);
      equal(item['created_at'], created_at, 'the member created_at of the item');
    });

    define('4/list/item-money', async (server) => {
      const { item } = await itemOf(server, { amount: '0007.5' });
      equal(item['amount'], '7.50', 'the amount that was sent as 0007.5');
    });

    define('4/list/v1-item', async (server) => {
      const { sent, item } = await itemOfV1(server);
      for (const [name, of1] of [
        ['title', 'name'],
        ['email_freelancer', 'contractor_email'],
        ['amount', 'budget'],
        ['currency', 'currency'],
      ] as const) {
        equal(item[name], sent[of1], `the member ${name}, of version 1.0 ${of1}`);
      }
    });

    define('4/list/v1-id', async (server) => {
      const { data, item } = await itemOfV1(server);
      equal(item['api_version'], '1.0', 'the member api_version');
      equal(item['id'], data['id'], 'the member id');
    });

    define('3/list/no-token', async (server) => {
      const { partner_id, payment_token } = await server.makeDealV2();
      const reply = await server.partner.send('GET', pathOfList({ partner_id }));
      const text = new TextDecoder().decode(reply.bytes);
      check(text.includes(partner_id), `the deal is listed\n  actual: ${textOf(reply)}`);
      check(!text.includes(payment_token), `the token is hidden\n  actual: ${textOf(reply)}`);
    });

    define('4/list/at-once', async (server) => {
      for (let round = 0; round < 5; round += 1) {
        const { filter, names } = await severalDeals(server, 1);
        equal(namesOf(await pageOf(server.partner, filter)), names, 'the deals of the list');
      }
    });

    define('4/list/without-filter', async (server) => {
      const { names } = await manyDeals(server, 3);
      const pages = [await pageOf(server.partner, { page_size: 100 })];
      // others may create deals meanwhile, but not so many
      for (let cursor = pages[0]?.next ?? null; cursor !== null && pages.length < 3; ) {
        const page = await pageOf(server.partner, { page_size: 100, cursor });
        pages.push(page);
        cursor = page.next;
      }
      const found = pages.flatMap(namesOf);
      const missing = names.filter((name) => !found.includes(name));
      equal(missing, [], 'the deals that the newest 300 do not have');
    });

    define('4/list/empty', async ({ partner, name }) => {
      const page = await pageOf(partner, { partner_id: name() });
      equal(page, { results: [], next: null, previous: null }, 'the page');
    });

    define('2.1/list/own-alone', async (server) => {
      const filter = { email_freelancer: server.email() };
      const foreign = server.dealV2(filter);
      await server.other.data('POST', createDealV2.path, { body: foreign });
      const { sent } = await created(server, createDealV2, filter);
      const pages = await walk(server.partner, filter);
      equal(pages.flatMap(namesOf), [sent['partner_id']], 'the deals of the list');
    });

    define('2.1/list/others-name', async (server) => {
      const { partner_id } = await server.makeDealV2();
      equal(namesOf(await pageOf(server.other, { partner_id })), [], 'the deals of the list');
    });
  },
);

/** A new deal, and its item in a list. */
async function itemOf(server: Server, changes?: Members) {
  const deal = await created(server, createDealV2, changes);
  return { ...deal, item: await itemNamed(server, deal.sent) };
}

async function itemOfV1(server: Server) {
  const deal = await created(server, createDeal, { budget: '1234.50', currency: 'CHF' });
  return { ...deal, item: await itemNamed(server, deal.sent) };
}

async function itemNamed({ partner }: Server, { partner_id }: Members): Promise<Members> {
  const { results } = await pageOf(partner, { partner_id: String(partner_id) });
  const [item] = results;
  check(item !== undefined, `the list has the deal\n  actual: ${show(results)}`);
  return item;
}
