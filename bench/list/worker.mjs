import { createMarketplace, fromMinorUnits } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import { serveContender } from '../contender.mjs';
import { paymentTokens } from '../create/payment-tokens.mjs';

const size = Number(process.argv[2]);
const pageSize = 100;
const tenant = { environment: 'sandbox', partner: 'acme' };
const start = Date.UTC(2026, 0, 1);
const store = createMemoryStore();
const api = createMarketplace({
  ...store,
  ...createSystemPorts(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens,
}).partner(tenant);

/** Deals go straight into the store, because lists are measured: every second is accepted, every hundredth is another freelancer's. */
function fill() {
  for (let number = 0; number < size; number += 1) {
    const partner_id = `deal-${number}`;
    const created_at = new Date(start + number).toISOString();
    const deal = {
      partner_id,
      email_freelancer: number % 100 === 0 ? 'rare@example.com' : 'freelancer@example.com',
      title: 'Landing page',
      description: 'Texts for a landing page',
      subcategory_id: 75,
      amount: fromMinorUnits(50_000n),
      currency: 'PLN',
      copyright_transfer: 'full_transfer',
      freelancer_language: 'pl',
      payment_token: `not-asked-for-in-benchmarks-${number}`,
      status: number % 2 === 0 ? 'created' : 'accepted',
      freelancer_status: 'new',
      created_at,
    };
    const event = {
      id: `01KDVE${String(number).padStart(20, '0')}`,
      type: 'deal.created',
      ...tenant,
      subject: `deal:${partner_id}`,
      sequence: 1,
      at: created_at,
      data: { api_version: '2.0', partner_id },
    };
    store.dealsV2.add(tenant, { deal, events: [event], idempotency: undefined });
  }
}

/** Turns so many pages from a cursor on, each after the last one, as a reader does. */
async function turn(filter, cursor, pages) {
  let next = cursor;
  for (let page = 0; page < pages; page += 1) {
    const query = {
      ...filter,
      page_size: pageSize,
      ...(next === undefined ? {} : { cursor: next }),
    };
    const { results, next: following } = (await api.listEmployerDeals(query))._unsafeUnwrap();
    if (results.length !== pageSize) throw new Error(`page ${page} has ${results.length} deals`);
    next = following;
  }
  return next;
}

fill();
/** Where a reader is that has turned all the pages up to a depth, by filter and depth. */
const cursors = new Map();

serveContender(async ({ filter, depth, pages }) => {
  const name = JSON.stringify([filter, depth]);
  if (!cursors.has(name)) cursors.set(name, await turn(filter, undefined, depth / pageSize));
  // a whole collection of so many deals takes longer than all that is measured
  globalThis.gc?.({ type: 'minor' });
  const begin = process.cpuUsage();
  await turn(filter, cursors.get(name), pages);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / pages;
});
