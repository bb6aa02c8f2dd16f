// @ts-check
// Works within transactions by the driver of this runtime, and prints the outcome of each, one line
// of JSON.
import { createDealwright } from 'dealwright/host';
import { createSqliteStore, migrateSqlite, transactionAfter } from 'dealwright/sqlite';

/** @typedef {import('dealwright/sqlite').SqliteLike & { exec(sql: string): void }} Driver */

const [path = ''] = process.argv.slice(2);
// names in variables: the types of the checking runtime have neither module
const [bun, node] = ['bun:sqlite', 'node:sqlite'];
const isBun = 'bun' in process.versions;
const { Database, DatabaseSync } = await import(isBun ? bun : node);
/** @returns {Driver} */
const open = () => (isBun ? new Database(path) : new DatabaseSync(path));

const own = open();
migrateSqlite(own)._unsafeUnwrap();
const store = createSqliteStore(own);
const { marketplace } = createDealwright({ store });
const db = open();
/** @type {import('dealwright').Tenant} */
const tenant = { environment: 'sandbox', partner: 'acme' };
const outside = marketplace.partner(tenant);
const within = marketplace.within(store.within(db)).partner(tenant);

/** @param {typeof outside} api @param {string} partner_id */
async function create(api, partner_id) {
  const created = await api.createDealV2({
    partner_id,
    email_freelancer: 'freelancer@example.com',
    title: 'Title',
    description: 'Description',
    subcategory_id: 75,
    amount: '500.00',
    currency: 'EUR',
    copyright_transfer: 'full_transfer',
    freelancer_language: 'en',
  });
  return created.isOk() ? 'ok' : `${created.error.code} ${transactionAfter(created.error)}`;
}
const exists = async () => (await outside.retrieveDealDetails('1')).isOk();

const seen = [await create(within, '1')];
db.exec('begin immediate');
seen.push(await create(within, '1'));
db.exec('rollback');
seen.push(String(await exists()));
db.exec('begin immediate');
seen.push(await create(within, '1'), await create(within, '1'));
db.exec('commit');
seen.push(String(await exists()));
db.exec('begin');
db.prepare('select * from dealwright_deals').all();
seen.push(await create(outside, '2'), await create(within, '3'));
db.exec('rollback');
console.log(JSON.stringify(seen));
