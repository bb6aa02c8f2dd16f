// @ts-check
// Writes a deal and a row of its own in one transaction, reports it before or after the commit, and
// waits to be killed.
import { createDealwright } from 'dealwright/host';
import { createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';

const [path = '', when = ''] = process.argv.slice(2);
const store = createSqliteStore(new Database(path));
const { marketplace } = createDealwright({ store });
const db = new Database(path);
db.exec('begin immediate');
db.exec("insert into orders (id) values ('1')");
const api = marketplace
  .within(store.within(db))
  .partner({ environment: 'sandbox', partner: 'acme' });
const created = await api.createDealV2({
  partner_id: '1',
  email_freelancer: 'freelancer@example.com',
  title: 'Title',
  description: 'Description',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'EUR',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'en',
});
if (created.isErr()) throw new Error(created.error.code);
if (when === 'after') db.exec('commit');
console.log('reached');
setInterval(() => undefined, 1_000);
