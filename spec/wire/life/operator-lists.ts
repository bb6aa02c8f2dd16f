import { check, equal, show } from '../../expectations.js';
import { expectError, expectIssues, group, type Members, type Server } from '../server.js';
import { arrayOf, dealIn, newDeal } from './deal.js';

/** Every reason of a summary. */
const reasons = [
  ...['disputed', 'paid_twice', 'payout_failed', 'refund_failed', 'effect_in_doubt'],
  ...['effect_failing', 'overdue', 'payment_overdue', 'overpaid', 'payout_waits'],
  ...['payout_late', 'refund_late'],
  ...['webhook_failing', 'report_unmatched'],
];

/** The deals of all partners, and what needs the operator. */
export const operatorLists = group(
  'lists of the operator',
  {
    must: {},
    // docs/reference/http.md says so; no decision does
    should: {
      '4/operator/list-all':
        'The list of the operator without `partner` has the deals of all partners, each with its own.',
      '4/operator/list-pages':
        'Pages of the list of all partners, one after the other, have each deal once, the newest first.',
      '4/operator/list-back': '`previous` of a page of the list of all partners leads back.',
      '4/operator/status-since': 'A deal of the list has the time since which it has its status.',
      '4/operator/stuck-since':
        '`stuck_since` finds deals that have had their status since before that time.',
      '6.2/operator/alert': 'A disputed deal has the alert `disputed`, and a new one has none.',
      '6.2/operator/by-alert': '`alert=disputed` finds a disputed deal.',
      '4/operator/alert-unknown': 'A filter by an alert that does not exist is refused.',
      '4/operator/search':
        'A search finds a deal by its `partner_id`, its address, and the beginning of its title.',
      '6.3/operator/search-parts':
        'A search finds a deal by the id and the reference of a payment, and the id of a work file.',
      '4/operator/search-nothing': 'A search for what no deal has finds nothing.',
      '4/operator/search-text': 'A search takes 1 to 200 characters.',
      '2.1/operator/partners':
        'The list of partners has each partner that has created a deal, once, page by page.',
      '2.1/operator/partners-cursor':
        'An empty cursor of the list of partners is refused as invalid.',
      '6.2/operator/summary': 'A summary has a line for each reason, and counts a disputed deal.',
    },
  },
  (define) => {
    define('4/operator/list-all', async (server) => {
      const { email_freelancer, names } = await ofTwoPartners(server);
      const { results } = await listed(server, { email_freelancer });
      equal(results.map(named).sort(), [...names].sort(), 'the deals of the list');
      const partners = new Set(results.map(({ partner }) => partner));
      equal(partners.size, 2, 'how many partners the deals have');
      check(partners.has(server.partnerName), 'one of them is the partner');
      const own = await listed(server, { email_freelancer, partner: server.partnerName });
      const ofOne = own.results.map(({ partner }) => partner);
      equal(ofOne, [server.partnerName, server.partnerName], 'the partners of a list of one');
    });

    define('4/operator/list-pages', async (server) => {
      const { email_freelancer, names } = await ofTwoPartners(server);
      const found: string[] = [];
      for (let query: Query | undefined = { email_freelancer, page_size: 1 }; query; ) {
        const { results, next }: Page = await listed(server, query);
        equal(results.length, 1, 'the number of deals of a page of one');
        found.push(...results.map(named));
        check(found.length <= names.length, 'the pages come to an end');
        query = next === null ? undefined : { ...query, cursor: next };
      }
      equal(found, names, 'the deals of the pages');
    });

    define('4/operator/list-back', async (server) => {
      const { email_freelancer, names } = await ofTwoPartners(server);
      const one = { email_freelancer, page_size: 1 };
      const start = await listed(server, one);
      equal(start.previous, null, 'the member previous of the first page');
      const second = await listed(server, { ...one, cursor: String(start.next) });
      equal(second.results.map(named), names.slice(1, 2), 'the second page');
      const back = await listed(server, { ...one, cursor: String(second.previous) });
      equal(back.results.map(named), names.slice(0, 1), 'the page before the second');
    });

    define('4/operator/status-since', async (server) => {
      const email_freelancer = server.email();
      const deal = await newDeal(server, { email_freelancer });
      const before = await first(server, { email_freelancer });
      equal(before['status_since'], before['created_at'], 'status_since of a new deal');
      await deal.done('freelancer', 'accept');
      const after = await first(server, { email_freelancer });
      const events = await server.partner.data('GET', `/api/2.0/deal/${deal.partner_id}/event/`);
      const accepted = arrayOf(events['results'], 'the events').find(
        ({ type }) => type === 'deal.accepted',
      );
      equal(after['status_since'], accepted?.['at'], 'status_since of an accepted deal');
    });

    define('4/operator/stuck-since', async (server) => {
      const email_freelancer = server.email();
      await newDeal(server, { email_freelancer });
      const { status_since, partner_id } = await first(server, { email_freelancer });
      for (const status of [{}, { status: 'created' }]) {
        const find = async (stuck_since: string) => {
          const { results } = await allOf(server, { email_freelancer, stuck_since, ...status });
          return results.map((each) => each['partner_id']);
        };
        equal(await find(String(status_since)), [], 'the deals that are older than themselves');
        const later = new Date(Date.parse(String(status_since)) + 1).toISOString();
        equal(await find(later), [partner_id], 'the deals that are older than a moment later');
      }
    });

    define('6.2/operator/alert', async (server) => {
      const email_freelancer = server.email();
      await newDeal(server, { email_freelancer });
      const { alert, alert_at } = await first(server, { email_freelancer });
      equal({ alert, alert_at }, { alert: null, alert_at: null }, 'the alert of a new deal');
      const disputed = await first(server, { partner_id: (await dispute(server)).partner_id });
      equal(disputed['alert'], 'disputed', 'the alert of a disputed deal');
    });

    define('6.2/operator/by-alert', async (server) => {
      const { partner_id } = await dispute(server);
      const find = async (alert: string) => {
        const { results } = await allOf(server, { alert, partner_id });
        return results.map((each) => each['partner_id']);
      };
      equal(await find('disputed'), [partner_id], 'the disputed deals');
      equal(await find('refund_late'), [], 'the deals of another alert');
    });

    define('4/operator/alert-unknown', async (server) => {
      const reply = await server.operator.send('GET', `/operator/deal/?alert=unknown`);
      expectIssues(reply, { path: ['alert'], code: 'not_allowed' });
    });

    define('4/operator/search', async (server) => {
      const email_freelancer = server.email();
      const title = `Ünique ${server.name('title')}`;
      const { partner_id } = await newDeal(server, { email_freelancer, title });
      for (const [match, text] of [
        ['partner_id', partner_id],
        ['email', email_freelancer.toUpperCase()],
        ['title', title],
        ['title', title.slice(0, -1)],
      ] as const) {
        const { results } = await search(server, text);
        const hits = results.filter((each) => each['partner_id'] === partner_id);
        equal(
          hits.map((each) => each['match']),
          [match],
          `what was found by ${text}`,
        );
      }
    });

    define('6.3/operator/search-parts', async (server) => {
      const deal = await dealIn('approved', server);
      const { billing, stages } = await deal.details();
      const { employer_payments } = Object(billing);
      const [payment] = arrayOf(employer_payments, 'the payments');
      const [work] = arrayOf(stages[0]?.['work_files'], 'the work files');
      const reference = server.name('reference');
      const { id: payment_id, amount } = payment ?? {};
      await deal.done('operator', 'record-employer-payment', {
        ...{ payment_id, status: 'paid', amount, reference },
      });
      for (const [match, text] of [
        ['payment', payment_id],
        ['reference', reference],
        ['work_file', work?.['id']],
      ] as const) {
        const { results } = await search(server, String(text));
        equal(
          results.map((each) => [each['partner_id'], each['match']]),
          [[deal.partner_id, match]],
          `what was found by a ${match}`,
        );
      }
    });

    define('4/operator/search-nothing', async (server) => {
      const found = await search(server, server.name('none'));
      equal([found.results, found.is_more], [[], false], 'what was found');
    });

    define('4/operator/search-text', async (server) => {
      const ask = (query: string) => server.operator.send('GET', `/operator/search/${query}`);
      const about = (code: string) => ({ path: ['text'], code });
      expectIssues(await ask(''), about('required'));
      expectIssues(await ask('?text='), about('too_short'));
      expectIssues(await ask(`?text=${'x'.repeat(201)}`), about('too_long'));
      const longest = server.name('none').padEnd(200, 'x');
      equal((await search(server, longest)).results, [], 'what was found by 200 characters');
    });

    define('2.1/operator/partners', async (server) => {
      await ofTwoPartners(server);
      const all: string[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; cursor !== null; pages += 1) {
        check(pages < mostPages, `the list ends within ${mostPages} pages`);
        const page = await partnersOf(server, { page_size: 100, ...(cursor && { cursor }) });
        all.push(...page.partners);
        cursor = page.next;
      }
      check(all.includes(server.partnerName) && all.length >= 2, 'both partners are in the list');
      equal(new Set(all).size, all.length, 'no partner comes twice');
      const first = await partnersOf(server, { page_size: 1 });
      const second = await partnersOf(server, { page_size: 1, cursor: String(first.next) });
      equal([...first.partners, ...second.partners], all.slice(0, 2), 'the first two, one by one');
    });

    define('2.1/operator/partners-cursor', async (server) => {
      const reply = await server.operator.send('GET', '/operator/partner/?cursor=');
      expectError(reply, 400, 'invalid_cursor');
    });

    define('6.2/operator/summary', async (server) => {
      await dispute(server);
      const { results } = await server.operator.data('GET', '/operator/summary/');
      const lines = arrayOf(results, 'the lines');
      equal(lines.map(({ reason }) => String(reason)).sort(), [...reasons].sort(), 'the reasons');
      const { count, since } = lines.find(({ reason }) => reason === 'disputed') ?? {};
      check(Number(count) >= 1, `a disputed deal is counted\n  actual: ${show(count)}`);
      check(typeof since === 'string', `the oldest has a time\n  actual: ${show(since)}`);
    });
  },
);

type Query = Readonly<Record<string, string | number>>;

interface Page {
  readonly results: readonly Members[];
  readonly next: string | null;
  readonly previous: string | null;
}

const withText = (query: Query) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));

async function listed({ operator }: Server, query: Query): Promise<Page> {
  const page = await operator.data('GET', `/operator/deal/?${withText(query)}`);
  const { next, previous } = page;
  const isCursor = (value: unknown) => value === null || typeof value === 'string';
  check(isCursor(next) && isCursor(previous), `the cursors are text or null: ${show(page)}`);
  return { ...(page as object as Page), results: arrayOf(page['results'], 'the results') };
}

/** The most pages of a list: one page looks at many deals, and may show none. */
const mostPages = 50;

/** All deals of a list. */
async function allOf(server: Server, query: Query): Promise<Pick<Page, 'results'>> {
  const results: Members[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null; pages += 1) {
    check(pages < mostPages, `the list ends within ${mostPages} pages`);
    const page = await listed(server, { ...query, ...(cursor !== undefined && { cursor }) });
    results.push(...page.results);
    cursor = page.next;
  }
  return { results };
}

/** The only deal of a list. */
async function first(server: Server, query: Query): Promise<Members> {
  const { results } = await allOf(server, query);
  const [found] = results;
  check(found !== undefined && results.length === 1, `one deal is found: ${show(results)}`);
  return found;
}

async function search({ operator }: Server, text: string) {
  const path = `/operator/search/?${withText({ text, page_size: 100 })}`;
  const { results, is_more } = await operator.data('GET', path);
  return { results: arrayOf(results, 'what was found'), is_more };
}

async function partnersOf({ operator }: Server, query: Query) {
  const { results, next } = await operator.data('GET', `/operator/partner/?${withText(query)}`);
  const partners = arrayOf(results, 'the partners').map(({ partner }) => String(partner));
  return { partners, next: next === null ? null : String(next) };
}

const named = ({ partner_id }: Members) => String(partner_id);

/** Deals of one address, of two partners, the newest first: the sandbox of one may be ahead. */
async function ofTwoPartners(server: Server) {
  const email_freelancer = server.email();
  const made: Members[] = [];
  for (const caller of [server.partner, server.other, server.partner]) {
    const body = server.dealV2({ email_freelancer });
    await caller.data('POST', '/api/2.0/deal/', { body });
    made.unshift(await caller.data('GET', `/api/2.0/deal/${body['partner_id']}/`));
  }
  const names = made.sort((a, b) => timeOf(b) - timeOf(a)).map(named);
  return { email_freelancer, names };
}

const timeOf = ({ created_at }: Members) => Date.parse(String(created_at));

/** A deal that is disputed. */
const dispute = (server: Server) => dealIn('disputed', server);
