import type { EventsPage } from '../../src/api/answers.js';
import type { EventQuery } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import type { DomainEvent } from '../../src/domain/events/events.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import {
  contractor,
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  file,
  invalid,
  missing,
  plain,
} from './subject.js';

/** A page of a feed, which must be a success. */
async function feedOf(api: PartnerApi, query: EventQuery = {}): Promise<EventsPage> {
  return okOf(await api.listEvents(query), 'a page of the feed');
}

type Read = (query: EventQuery) => PromiseLike<EventsPage>;

/** Every event, page by page, until the cursor no longer moves. */
async function walkFeed(read: Read, query: EventQuery = {}): Promise<DomainEvent[]> {
  const found: DomainEvent[] = [];
  let { after } = query;
  for (let pages = 0; ; pages += 1) {
    check(pages < 1_000, 'a feed comes to its end');
    const page = await read({ ...query, ...(after !== undefined && { after }) });
    check(page.results.length <= (query.page_size ?? 20), 'a page has no more than it may have');
    found.push(...page.results);
    if (page.next === after) return found;
    after = page.next;
  }
}

/** Some deals, with events. */
async function live(api: PartnerApi, count = 4): Promise<void> {
  await createDocumentedDeal(api);
  for (let index = 0; index < count; index += 1) {
    const partner_id = `deal-${index}`;
    okOf(await api.createDealV2({ ...dealV2, partner_id }), 'a deal');
    okOf(await api.invite(partner_id), 'an invitation');
    okOf(await api.cancel(partner_id, { reason: 'It was withdrawn.' }), 'a cancellation');
  }
}

const typesOf = (events: readonly DomainEvent[]) => events.map(({ type }) => type);
const idsOf = (events: readonly DomainEvent[]) => events.map(({ id }) => id);

/** Decisions 7.1 and 7.6: the events that a partner reads. */
export function events(define: DefineCase): void {
  define('tells what has happened, the oldest event first', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    okOf(await api.createDeal(deal), 'a 1.0 deal');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a 2.0 deal');
    okOf(await api.uploadFile({ partner_id: 'second' }, file), 'a file');
    okOf(await api.cancel('second', { reason: 'It was withdrawn.' }), 'the cancellation');
    const { results } = await feedOf(api);
    const shown = results.map(({ type, environment, partner, subject, sequence, actor }) => ({
      ...{ type, environment, partner, subject, sequence, actor },
    }));
    const common = { environment: 'sandbox', partner: 'acme', actor: 'partner' };
    const expected = [
      { type: 'contractor.registered', subject: 'contractor:user@example.com', sequence: 1 },
      { type: 'deal.created', subject: `deal:${deal.partner_id}`, sequence: 1 },
      { type: 'deal.created', subject: 'deal:second', sequence: 1 },
      { type: 'work_file.stored', subject: 'deal:second', sequence: 2 },
      { type: 'deal.cancelled', subject: 'deal:second', sequence: 3 },
    ];
    equal(
      shown,
      expected.map((each) => ({ ...common, ...each })),
      'the events',
    );
    equal(new Set(idsOf(results)).size, results.length, 'each has an id of its own');
    const [, created, , , cancelled] = results;
    const { partner_id, contractor_email, name, budget, currency, work_days } = deal;
    equal(
      created?.data,
      {
        ...{ api_version: '1.0', partner_id, contractor_email, name, budget, currency, work_days },
        sub_category_id: deal.sub_category_id,
      },
      'the data of a new deal',
    );
    equal(
      cancelled?.data,
      {
        partner_id: 'second',
        status: 'cancelled',
        freelancer_status: 'removed',
        reason: 'It was withdrawn.',
      },
      'the data of a command',
    );
  });

  define('cuts a feed into pages of any size, each event once and in order', async ({ api }) => {
    await live(api);
    const all = await walkFeed((query) => feedOf(api, query), { page_size: 100 });
    equal(all.length, 14, 'the number of events');
    for (const page_size of [1, 2, 3, 5, 7, 13, 14, 15, 99]) {
      const found = await walkFeed((query) => feedOf(api, query), { page_size });
      equal(idsOf(found), idsOf(all), `in pages of ${page_size}`);
    }
    const { results } = await feedOf(api);
    equal(idsOf(results), idsOf(all), 'twenty unless a size is said');
  });

  define('always gives a cursor to go on from', async ({ api }) => {
    const empty = await feedOf(api);
    equal(empty.results, [], 'nothing has happened');
    await live(api, 1);
    const later = await feedOf(api, { after: empty.next });
    equal(typesOf(later.results).slice(0, 2), ['contractor.registered', 'deal.created'], 'later');
    const atEnd = await feedOf(api, { after: later.next });
    equal(atEnd.results, [], 'the end');
    equal(atEnd.next, later.next, 'the cursor of the end');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'late' }), 'a late deal');
    const { results } = await feedOf(api, { after: atEnd.next });
    equal(typesOf(results), ['deal.created'], 'what came after the end');
  });

  define('begins at the end if that is asked for', async ({ api }) => {
    const before = await feedOf(api, { after: 'end' });
    equal(before.results, [], 'the end of an empty feed');
    await live(api, 1);
    const end = await feedOf(api, { after: 'end' });
    equal(end.results, [], 'nothing of what was before');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'late' }), 'a late deal');
    equal(typesOf((await feedOf(api, { after: end.next })).results), ['deal.created'], 'the rest');
    const whole = await walkFeed((query) => feedOf(api, query), { after: before.next });
    equal(whole.length, 6, 'everything since the first end');
  });

  define('filters by types, one or several, known or not', async ({ api }) => {
    await live(api);
    const all = await walkFeed((query) => feedOf(api, query));
    for (const [type, wanted] of [
      ['deal.cancelled', ['deal.cancelled']],
      ['contractor.registered,deal.invited', ['contractor.registered', 'deal.invited']],
      ['deal.invited,of.a.host', ['deal.invited']],
      ['of.a.host', []],
      ['deal', []],
      ['', []],
    ] as const) {
      const expected = all.filter((event) => wanted.some((each) => each === event.type));
      for (const page_size of [1, 3, 100]) {
        const found = await walkFeed((query) => feedOf(api, query), { type, page_size });
        equal(idsOf(found), idsOf(expected), `of ${type} in pages of ${page_size}`);
      }
    }
    const { next } = await feedOf(api, { type: 'deal.cancelled', page_size: 1 });
    const rest = await walkFeed((query) => feedOf(api, query), { after: next });
    const at = all.findIndex(({ type }) => type === 'deal.cancelled');
    equal(idsOf(rest), idsOf(all.slice(at + 1)), 'a cursor is a position, whatever the filter is');
  });

  define('tells each deal its own', async ({ api }) => {
    await live(api);
    const all = await walkFeed((query) => feedOf(api, query));
    for (const partner_id of [deal.partner_id, 'deal-0', 'deal-3']) {
      const own = all.filter(({ subject }) => subject === `deal:${partner_id}`);
      const read: Read = async (query) =>
        okOf(await api.listDealEvents(partner_id, query), `the time line of ${partner_id}`);
      for (const page_size of [1, 2, 3, 100]) {
        equal(await walkFeed(read, { page_size }), own, `in pages of ${page_size}`);
      }
      const { results } = okOf(await api.listDealEvents(partner_id), 'without a query');
      equal(results, own, 'the page');
    }
  });

  define('finds a time line under any name that a deal can have', async ({ api }) => {
    for (const partner_id of ['.', '..', 'a/b', 'by-id', 'event', 'ł 😀', '?x=1&y', '%2F']) {
      okOf(await api.createDealV2({ ...dealV2, partner_id }), `the deal ${partner_id}`);
      okOf(await api.invite(partner_id), 'the invitation');
      const first = okOf(await api.listDealEvents(partner_id, { page_size: 1 }), 'the first page');
      equal(typesOf(first.results), ['deal.created'], `the first event of ${partner_id}`);
      const rest = okOf(await api.listDealEvents(partner_id, { after: first.next }), 'the rest');
      equal(typesOf(rest.results), ['deal.invited'], `the rest of ${partner_id}`);
    }
  });

  define('shows nothing of another tenant', async ({ api, other, live: production }) => {
    const views = [api, other, production];
    for (const [index, view] of views.entries()) {
      okOf(await view.createDealV2({ ...dealV2, title: `of ${index}` }), 'a deal');
      okOf(await view.createDealV2({ ...dealV2, partner_id: `own-${index}` }), 'a deal');
    }
    for (const [index, view] of views.entries()) {
      const all = await walkFeed((query) => feedOf(view, query));
      equal(all.length, 2, 'the number of its own events');
      equal(all[0]?.data, { ...Object(all[0]?.data), title: `of ${index}` }, 'its own deal');
      const line = okOf(await view.listDealEvents(dealV2.partner_id), 'its time line');
      equal(idsOf(line.results), idsOf(all.slice(0, 1)), 'its own time line');
      const foreign = errOf(await view.listDealEvents(`own-${(index + 1) % 3}`), 'a foreign one');
      missing(foreign, 'deal');
      missing(errOf(await view.listDealEvents('nothing'), 'none'), 'deal');
      for (const bad of [{ page_size: 0 }, { after: 'garbage' }]) {
        // other errors do not tell whether a deal exists
        const refused = errOf(await view.listDealEvents('nothing', bad), 'none, and wrong');
        missing(refused, 'deal');
      }
    }
  });

  define('holds no secret in any event', async ({ api }) => {
    const numbers = { pesel: '44051401359', nip: '5261040828' };
    okOf(await api.registerContractor({ ...contractor, ...numbers }), 'the contractor');
    okOf(await api.createDeal(deal), 'a 1.0 deal');
    const created = okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a deal');
    okOf(await api.uploadFile({ partner_id: 'second' }, file), 'a file');
    okOf(await api.cancel('second', { reason: 'It was withdrawn.' }), 'the cancellation');
    const all = JSON.stringify(await walkFeed((query) => feedOf(api, query)));
    const secrets = {
      'the payment token': created.payment_token,
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
  });

  define('refuses a malformed cursor, and a page that cannot be', async ({ api }) => {
    await live(api, 1);
    for (const after of ['garbage', ' ', '-1', '[]', '😀', 'x'.repeat(1_000)]) {
      plain(errOf(await api.listEvents({ after }), `after ${after}`), 'invalid_cursor');
      const line = await api.listDealEvents('deal-0', { after }, { language: 'pl' });
      plain(errOf(line, `after ${after} of a deal`), 'invalid_cursor', 'pl');
    }
    const broken = Object({ page_size: 0, after: 1, type: null });
    const issues = [
      { path: ['after'], code: 'wrong_type' },
      { path: ['page_size'], code: 'out_of_range' },
      { path: ['type'], code: 'null_not_allowed' },
    ];
    const refused = errOf(await api.listEvents(broken), 'a broken query');
    equal(refused.code, 'validation_failed', 'the code');
    check(refused.code === 'validation_failed', 'narrows the type');
    equal(
      refused.errors.map(({ path }) => path),
      issues.map(({ path }) => path),
      'every problem at once',
    );
    invalid(errOf(await api.listDealEvents('deal-0', { page_size: 101 }), 'a large page'), [
      { path: ['page_size'], code: 'out_of_range' },
    ]);
  });
}
