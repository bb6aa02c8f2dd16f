// @ts-check
// One of several processes on one file: it migrates, and adds deals whose names and keys others
// take too. It prints what it was answered, one line of JSON for each.
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromMinorUnits } from 'dealwright';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import Database from 'libsql';

const [path = '', who = '', processes = ''] = process.argv.slice(2);
const db = new Database(path);
const migrated = migrateSqlite(db);
if (migrated.isErr()) throw new Error(`${who} did not migrate: ${migrated.error.code}`);
console.log(JSON.stringify({ applied: migrated.value.applied }));
const store = createSqliteStore(db, { busyTimeout: 60_000 });

/** @type {import('dealwright/ports').Tenant} */
const tenant = { environment: 'sandbox', partner: 'acme' };
const email = 'user@example.com';
let number = 0;

/** @param {string} subject @returns {import('dealwright/ports').DomainEvent} */
function event(subject) {
  number += 1;
  return {
    id: `${who}-${number}`,
    type: 'contractor.registered',
    ...tenant,
    subject,
    sequence: 1,
    at: '2026-01-01T00:00:00.000Z',
    data: { contractor_email: email, country_code: 'AT', language: 'en' },
  };
}

const common = /** @type {const} */ ({
  description: 'Description',
  status: 'created',
  freelancer_status: 'new',
  created_at: '2026-01-01T00:00:00.000Z',
});
const money = fromMinorUnits(100n);

/** @param {string} partner_id @param {import('dealwright/ports').Idempotency | undefined} idempotency */
function addition(partner_id, idempotency) {
  const work = { work_days: 1, budget: money, name: who };
  const deal = {
    ...{ ...common, ...work, partner_id, contractor_email: email, currency: 'EUR' },
    sub_category_id: 75,
    stages: [{ ...work, status: /** @type {const} */ ('pending') }],
  };
  const contractor = { register: '', email_key: email };
  return { deal, contractor, events: [event(`deal:${partner_id}`)], idempotency };
}

/** @param {string} partner_id @param {import('dealwright/ports').Idempotency | undefined} idempotency */
function additionV2(partner_id, idempotency) {
  const deal = {
    ...{ ...common, partner_id, email_freelancer: email, title: who, subcategory_id: 75 },
    ...{ amount: money, currency: 'PLN', copyright_transfer: 'none', freelancer_language: 'pl' },
    payment_token: `token-of-${who}-${partner_id}`,
  };
  return { deal, events: [event(`deal:${partner_id}`)], idempotency };
}

const person = { name: 'N', surname: 'S', country_code: 'AT', street: 'S', postal_code: '1' };
const bank = { bank_account_currency: 'EUR', bank_account_iban: 'AT611904300234573201' };
const registered = await store.contractors.add(tenant, {
  key: { register: '', email_key: email },
  contractor: { email, ...person, city: 'C', language: 'en', ...bank },
  events: [event(`contractor:${email}`)],
  idempotency: undefined,
});
if (registered.isErr()) throw registered.error;
console.log(JSON.stringify({ registered: registered.value.outcome }));

// all begin together
writeFileSync(`${path}.${who}.ready`, '');
const isReady = () =>
  readdirSync(dirname(path)).filter((name) => name.endsWith('.ready')).length === Number(processes);
while (!isReady()) await sleep(1);

// ten at once, each process from another of the names
for (let round = 0; round < 12; round += 1) {
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const at = (round * 10 + index + who.length * 30) % 120;
      const partner_id = `deal-${at}`;
      const key = at % 3 === 0 ? `key-${at % 36}` : undefined;
      const idempotency = key === undefined ? undefined : { key, fingerprint: key };
      const isV2 = (at + who.length) % 2 === 0;
      const answer = isV2
        ? await store.dealsV2.add(tenant, additionV2(partner_id, idempotency))
        : await store.deals.add(tenant, addition(partner_id, idempotency));
      if (answer.isErr()) throw answer.error;
      console.log(JSON.stringify({ who, isV2, partner_id, key, ...answer.value }));
    }),
  );
}
db.close();
