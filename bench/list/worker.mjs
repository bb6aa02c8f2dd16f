import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import { serveContender } from '../contender.mjs';
import { paymentTokens } from '../create/payment-tokens.mjs';

const size = Number(process.argv[2]);
const pageSize = 100;
const tenant = { environment: 'production', partner: 'acme' };
const start = Date.UTC(2026, 0, 1);
const store = createMemoryStore();
const api = createMarketplace({
  ...createSystemPorts(),
  store,
  files: createMemoryFileStore(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens,
}).partner(tenant);

/**
 * Deals go straight into the store, as lists are measured: every second is accepted, every
 * hundredth is another freelancer's.
 */
function fill() {
  for (let number = 0; number < size; number += 1) {
    const partner_id = `deal-${number}`;
    const created_at = new Date(start + number).toISOString();
    const email = number % 100 === 0 ? 'rare@example.com' : 'freelancer@example.com';
    const row = {
      partner_id,
      id: number + 1,
      api_version: '2.0',
      email_freelancer: email,
      email_key: email,
      title: 'Landing page',
      description: 'Texts for a landing page',
      subcategory_id: 75,
      amount: '500.00',
      currency: 'PLN',
      work_days: null,
      copyright_transfer: 'full_transfer',
      freelancer_language: 'pl',
      payment_token: `not-asked-for-in-benchmarks-${number}`,
      status: number % 2 === 0 ? 'created' : 'accepted',
      freelancer_status: 'new',
      created_at,
      mode: 'invoice',
      employer_fee: '0.00',
      contractor_fee: '0.00',
      agreed_amount: null,
      expires_at: null,
      due_at: null,
    };
    const id = `01KDVE${String(number).padStart(20, '0')}`;
    const data = { api_version: '2.0', partner_id };
    const subject = `deal:${partner_id}`;
    store.commit(tenant, {
      attempt: id,
      expect: [{ absent: 'deal', key: partner_id }],
      insert: [{ kind: 'deal', row }],
      change: [],
      subject: { kind: 'deal', key: partner_id },
      events: [
        { id, type: 'deal.created', subject, at: created_at, actor: 'partner', cause: null, data },
      ],
    });
  }
}

/** Reads a number of pages from a cursor on, each after the last one, as a reader does. */
async function turn(filter, cursor, pages) {
  let next = cursor;
  for (let page = 0; page < pages; page += 1) {
    const query = {
      ...filter,
      page_size: pageSize,
      ...(next === undefined ? {} : { cursor: next }),
    };
    const { results, next: following } = (await api.listDeals(query))._unsafeUnwrap();
    if (results.length !== pageSize) throw new Error(`page ${page} has ${results.length} deals`);
    next = following;
  }
  return next;
}

fill();
/** The cursor after all the pages up to a depth, by filter and depth. */
const cursors = new Map();

serveContender(async ({ filter, depth, pages }) => {
  const name = JSON.stringify([filter, depth]);
  if (!cursors.has(name)) cursors.set(name, await turn(filter, undefined, depth / pageSize));
  // a full collection of this many deals takes longer than the whole measurement
  globalThis.gc?.({ type: 'minor' });
  const begin = process.cpuUsage();
  await turn(filter, cursors.get(name), pages);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / pages;
});
