import { check, equal } from '../../expectations.js';
import { expectError, expectIssues, group, type Members, type Server } from '../server.js';
import { arrayOf, newDeal } from './deal.js';

/** Reports of payment providers that match no payment. */
export const unmatchedReports = group(
  'reports that match no payment',
  {
    must: {},
    // docs/reference/http.md says so; no decision does
    should: {
      '6.3/operator/report-kept':
        'A report about a deal or a payment that does not exist is refused, and kept once for the operator with what it said, however often it comes.',
      '10.4/operator/report-kept':
        'A report in another currency than that of the deal is refused, and kept with its currency.',
      '6.3/operator/report-matched':
        'A report that matches a payment is not among those that match none.',
      '6.3/operator/report-pages':
        'Pages of the reports that match no payment, one after the other, have each once, the longest waiting first.',
      '6.3/operator/report-dismissed':
        'A dismissed report is not listed any more, also if it is dismissed or comes again; one that does not exist is 404.',
    },
  },
  (define) => {
    define('6.3/operator/report-kept', async (server) => {
      const [partner_id, reference] = [server.name(), server.name('reference')];
      const said = { status: 'paid', amount: '40.00', reference };
      const { partner_id: own } = await newDeal(server);
      const ofPayment = { payment_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', status: 'failed', reference };
      for (let times = 0; times < 2; times += 1) {
        expectError(await report(server, partner_id, 'employer', said), 404, 'not_found');
        expectIssues(await report(server, own, 'contractor', ofPayment), {
          path: ['payment_id'],
          code: 'unknown_payment',
        });
      }
      const common = { partner: server.partnerName, reference, is_dismissed: false };
      const found = (await listed(server)).filter((each) => each['reference'] === reference);
      const shown = found.map(({ id, received_at, ...others }) => {
        check(typeof id === 'string' && id !== '', 'a report has an id');
        check(!Number.isNaN(Date.parse(String(received_at))), 'a report has a time');
        return others;
      });
      const both = [
        {
          ...{ ...common, partner_id, kind: 'employer_payment', payment_id: null },
          ...{ status: 'paid', amount: '40.00', currency: null, reason: 'unknown_deal' },
        },
        {
          ...{ ...common, ...ofPayment, partner_id: own, kind: 'contractor_payment' },
          ...{ amount: null, currency: null, reason: 'unknown_payment' },
        },
      ];
      equal(shown, both, 'the reports');
    });

    define('10.4/operator/report-kept', async (server) => {
      const { partner_id } = await newDeal(server);
      const reference = server.name('reference');
      const said = { status: 'paid', amount: '40.00', currency: 'XAU', reference };
      expectError(await report(server, partner_id, 'employer', said), 400, 'validation_failed');
      const found = (await listed(server)).filter((each) => each['reference'] === reference);
      equal(
        found.map(({ amount, currency, reason }) => [amount, currency, reason]),
        [['40.00', 'XAU', 'currency_mismatch']],
        'the reports',
      );
    });

    define('6.3/operator/report-matched', async (server) => {
      const { partner_id } = await newDeal(server);
      const reference = server.name('reference');
      const said = { status: 'paid', amount: '40.00', reference };
      for (let times = 0; times < 2; times += 1) {
        const reply = await report(server, partner_id, 'employer', said);
        equal(reply.status, 200, 'the status of a report that matches');
      }
      const found = (await listed(server)).filter((each) => each['reference'] === reference);
      equal(found, [], 'the reports that match no payment');
    });

    define('6.3/operator/report-pages', async (server) => {
      const [partner_id, others] = [server.name(), server.name()];
      for (const name of [partner_id, others, partner_id]) {
        const reference = server.name('reference');
        await report(server, name, 'employer', { status: 'paid', amount: '1.00', reference });
      }
      const all = await listed(server);
      const mine = all.filter((each) => [partner_id, others].includes(String(each['partner_id'])));
      equal(mine.map(named), [partner_id, others, partner_id], 'the reports of these deals');
      const times = all.map(({ received_at }) => Date.parse(String(received_at)));
      equal(
        times,
        [...times].sort((a, b) => a - b),
        'the times of the list',
      );
      const first = await page(server, { page_size: '1' });
      const second = await page(server, { page_size: '1', cursor: String(first.next) });
      equal([...first.results, ...second.results], all.slice(0, 2), 'the first two, one by one');
    });

    define('6.3/operator/report-dismissed', async (server) => {
      const [partner_id, reference] = [server.name(), server.name('reference')];
      const said = { status: 'paid', amount: '40.00', reference };
      await report(server, partner_id, 'employer', said);
      const isOwn = (each: Members) => each['reference'] === reference;
      const [kept] = (await listed(server)).filter(isOwn);
      check(kept !== undefined, 'the report is listed');
      const ofPartner = `/operator/${encodeURIComponent(server.partnerName)}/report/`;
      for (let times = 0; times < 2; times += 1) {
        const path = `${ofPartner}${encodeURIComponent(String(kept['id']))}/dismiss/`;
        const dismissed = await server.operator.data('POST', path);
        equal(dismissed, { ...kept, is_dismissed: true }, 'the answer');
        await report(server, partner_id, 'employer', said);
        equal((await listed(server)).filter(isOwn), [], 'the report in the list');
      }
      const unknown = await server.operator.send('POST', `${ofPartner}${'0'.repeat(64)}/dismiss/`);
      expectError(unknown, 404, 'not_found');
    });
  },
);

const named = ({ partner_id }: Members) => String(partner_id);

/** Reports a payment of a deal of the partner. */
function report(
  { operator, partnerName }: Server,
  partner_id: string,
  of: 'employer' | 'contractor',
  body: object,
) {
  const deal = `/operator/${encodeURIComponent(partnerName)}/deal/${partner_id}/`;
  return operator.send('POST', `${deal}record-${of}-payment/`, { body });
}

async function page({ operator }: Server, query: Readonly<Record<string, string>>) {
  const path = `/operator/report/?${new URLSearchParams(query)}`;
  const { results, next } = await operator.data('GET', path);
  return { results: arrayOf(results, 'the reports'), next: next === null ? null : String(next) };
}

/** The most pages of a list. */
const mostPages = 100;

/** Every report of the list. */
async function listed(server: Server): Promise<readonly Members[]> {
  const found: Members[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null; pages += 1) {
    check(pages < mostPages, `the list ends within ${mostPages} pages`);
    const { results, next } = await page(server, { page_size: '100', ...(cursor && { cursor }) });
    found.push(...results);
    cursor = next;
  }
  return found;
}
