import { join } from 'node:path';
import { createPostgresArchive, migratePostgres } from 'dealwright/postgres';
import pg from 'pg';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { tenant } from './app.mjs';
import { startPostgres } from './cluster.mjs';

const deals = 100_000;
const rounds = 5;
const target = 0.5;
const tables = ['deals', 'stages', 'events', 'tenants'];

async function run() {
  const postgres = await startPostgres();
  const figures = { restore: [], copy: [] };
  try {
    let folder;
    // round 0 warms up, and makes the files
    for (let round = 0; round <= rounds; round += 1) {
      const restored = await createDatabase(postgres);
      const restore = await timed(() => restoreInto(restored));
      folder ??= await copyOut(postgres, restored);
      const copied = await createDatabase(postgres);
      const copy = await timed(() => postgres.psql(copyIn(folder), copied));
      if (round > 0) {
        figures.restore.push(restore);
        figures.copy.push(copy);
      }
      await postgres.psql('checkpoint');
    }
  } finally {
    await postgres.stop();
  }
  return report(figures);
}

async function createDatabase(postgres) {
  const address = await postgres.createDatabase();
  await withClient(address, async (client) => (await migratePostgres(client))._unsafeUnwrap());
  return address;
}

async function withClient({ socketUrl }, use) {
  const client = new pg.Client({ connectionString: socketUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function restoreInto(address) {
  return withClient(address, (client) => createPostgresArchive(client).restore(records()));
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

/** Writes the restored rows to files, one a table, and returns their folder. */
async function copyOut(postgres, address) {
  const folder = new URL(address.socketUrl).searchParams.get('host');
  const out = tables.map((name) => `\\copy dealwright.${name} to '${join(folder, name)}.copy'`);
  await postgres.psql(out.join('\n'), address);
  return folder;
}

function copyIn(folder) {
  const all = tables.map((name) => `\\copy dealwright.${name} from '${join(folder, name)}.copy'`);
  return ['begin;', ...all, 'commit;'].join('\n');
}

/**
 * A number of deals with two stages and an event each.
 *
 * @returns {AsyncGenerator<import('dealwright/ports').ArchiveRecord>}
 */
export async function* records(count = deals) {
  const attempts = Array.from(
    { length: count },
    (_, number) => `01KDVE${String(number).padStart(20, '0')}`,
  );
  for (const [number, attempt] of attempts.entries()) {
    yield { kind: 'deal', tenant, row: dealOf(number, attempt) };
  }
  for (const [number, attempt] of attempts.entries()) {
    yield { kind: 'stage', tenant, row: stageOf(number, 2 * number + 1, attempt) };
    yield { kind: 'stage', tenant, row: stageOf(number, 2 * number + 2, attempt) };
  }
  for (const [number, attempt] of attempts.entries()) {
    yield { kind: 'event', tenant, row: eventOf(number, attempt) };
  }
}

const created_at = '2026-01-01T00:00:00.000Z';

function dealOf(number, attempt) {
  return {
    partner_id: `deal-${number}`,
    id: number + 1,
    api_version: '1.0',
    email_freelancer: 'user@example.com',
    email_key: 'user@example.com',
    title: 'Deal name',
    description: 'Deal description',
    subcategory_id: 75,
    amount: '1000.00',
    currency: 'EUR',
    work_days: 30,
    copyright_transfer: null,
    freelancer_language: null,
    payment_token: null,
    status: 'created',
    freelancer_status: 'new',
    created_at,
    mode: 'invoice',
    employer_fee: '0.00',
    contractor_fee: '0.00',
    agreed_amount: null,
    expires_at: null,
    notice_at: null,
    due_at: null,
    attention: null,
    ...{ terms_version: null, terms_sha256: null, accepted_by: null },
    ...{ issued_amount: null, proposal: null },
    ...{ status_since: created_at, alert: null, alert_at: null },
    attempt,
    version: 1,
  };
}

function stageOf(number, id, attempt) {
  return {
    id,
    partner_id: `deal-${number}`,
    name: 'Stage name',
    budget: '500.00',
    work_days: 15,
    status: 'pending',
    agreed_amount: null,
    submitted_at: null,
    ...{ kind: null, started_at: null, deadline: null, overdue_told: null, notice_at: null },
    attempt,
  };
}

function eventOf(number, id) {
  const partner_id = `deal-${number}`;
  const data = {
    api_version: '1.0',
    partner_id,
    contractor_email: 'user@example.com',
    name: 'Deal name',
    budget: '1000.00',
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
  };
  return {
    id,
    type: 'deal.created',
    subject: `deal:${partner_id}`,
    sequence: 1,
    at: created_at,
    actor: 'partner',
    cause: null,
    data,
  };
}

function report({ restore, copy }) {
  const speed = medianRatio(copy, restore);
  const row = (title, seconds) => [title, `${median(seconds).toFixed(1)} s`];
  return `${deals.toLocaleString('en')} deals with two stages and an event each, into an empty schema, in one transaction: \`restore\` of
records that are generated meanwhile, against \`\\copy\` of the same rows by psql. A restore drops the indexes
that are not unique, and creates them again at the end; COPY keeps them. ${rounds} rounds, in turns.

${table(['', 'seconds'], [row('restore', restore), row('COPY', copy)])}

- ${speed.toFixed(2)} of the speed of COPY (target: ${target}; ${verdict(speed >= target)}).
`;
}

export const bulkIntoPostgres = {
  name: 'postgres-bulk',
  title: 'A bulk import into PostgreSQL',
  run,
};
