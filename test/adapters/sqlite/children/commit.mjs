// @ts-check
// One of several processes on one file: it migrates, and creates deals whose names and keys the
// others also use. It prints its answers, one line of JSON for each.
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
const at = '2026-01-01T00:00:00.000Z';
/** @satisfies {Partial<import('dealwright/ports').NewEvent>} */
const told = /** @type {const} */ ({
  ...{ type: 'deal.created', at, actor: 'partner', cause: null, data: {} },
});
let number = 0;
const nextId = () => {
  number += 1;
  return `${who}-${number}`;
};

/**
 * @param {string} partner_id @param {string | undefined} key @param {number} id
 * @returns {import('dealwright/ports').WriteSet}
 */
function creation(partner_id, key, id) {
  const attempt = nextId();
  const answer = {
    ...{ answer_key: `deal ${key}`, fingerprint: who, answer: JSON.stringify({ id }) },
    ends_at: null,
  };
  const money = { work_days: 1, status: /** @type {const} */ ('pending') };
  const untouched = {
    ...{ agreed_amount: null, submitted_at: null },
    ...{ kind: null, started_at: null, deadline: null, overdue_told: null, notice_at: null },
  };
  return {
    attempt,
    expect: [
      ...(key === undefined
        ? []
        : [/** @type {const} */ ({ absent: 'answer', key: `deal ${key}` })]),
      { absent: 'deal', key: partner_id },
    ],
    insert: [
      {
        kind: 'deal',
        row: {
          ...{ partner_id, id, api_version: '1.0', email_freelancer: 'a@b', email_key: 'a@b' },
          ...{ title: who, description: 'D', subcategory_id: 75, amount: '1.00', currency: 'EUR' },
          ...{ work_days: 1, copyright_transfer: null, freelancer_language: null },
          ...{ payment_token: null, status: 'created', freelancer_status: 'new', created_at: at },
          ...{ mode: 'invoice', employer_fee: '0.00', contractor_fee: '0.00', agreed_amount: null },
          ...{ expires_at: null, notice_at: null, due_at: null, attention: null },
          ...{ terms_version: null, terms_sha256: null, accepted_by: null },
          ...{ issued_amount: null, proposal: null },
          ...{ status_since: null, alert: null, alert_at: null },
        },
      },
      {
        kind: 'stage',
        row: { id: id + 1, partner_id, name: who, budget: '1.00', ...money, ...untouched },
      },
      ...(key === undefined ? [] : [/** @type {const} */ ({ kind: 'answer', row: answer })]),
    ],
    change: [],
    subject: { kind: 'deal', key: partner_id },
    events: [{ ...told, id: nextId(), subject: `deal:${partner_id}` }],
  };
}

// all begin together
writeFileSync(`${path}.${who}.ready`, '');
const isReady = () =>
  readdirSync(dirname(path)).filter((name) => name.endsWith('.ready')).length === Number(processes);
while (!isReady()) await sleep(1);

// ten at once; each process begins with another name
for (let round = 0; round < 12; round += 1) {
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const nth = (round * 10 + index + who.length * 30) % 120;
      const partner_id = `deal-${nth}`;
      const key = nth % 3 === 0 ? `key-${nth % 36}` : undefined;
      const reserved = await store.reserve('sandbox', 2);
      if (reserved.isErr()) throw reserved.error;
      const id = reserved.value;
      const answer = await store.commit(tenant, creation(partner_id, key, id));
      if (answer.isErr()) throw answer.error;
      console.log(JSON.stringify({ who, partner_id, key, id, ...answer.value }));
    }),
  );
}
db.close();
