import { join } from 'node:path';
import { fromMinorUnits } from 'dealwright';
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

/** Writes what was restored to files, one a table, and answers their folder. */
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
 * So many deals with two stages and an event each.
 *
 * @returns {AsyncGenerator<import('dealwright/ports').StoreRecord>}
 */
export async function* records(count = deals) {
  const event_ids = Array.from(
    { length: count },
    (_, number) => `01KDVE${String(number).padStart(20, '0')}`,
  );
  const created_at = '2026-01-01T00:00:00.000Z';
  for (const [number, event_id] of event_ids.entries()) {
    yield {
      record: 'deal',
      tenant,
      version: 1,
      event_id,
      idempotency: undefined,
      work_file_keys: [],
      deal: dealOf(number, created_at),
    };
  }
  for (const [number, id] of event_ids.entries()) {
    yield { record: 'event', tenant, event: eventOf(number, id, created_at) };
  }
}

function dealOf(number, created_at) {
  const stage = (id, name) => ({
    id,
    name,
    budget: fromMinorUnits(50_000n),
    work_days: 15,
    status: 'pending',
    work_files: [],
  });
  return {
    id: number + 1,
    partner_id: `deal-${number}`,
    contractor_email: 'user@example.com',
    name: 'Deal name',
    description: 'Deal description',
    budget: fromMinorUnits(100_000n),
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
    status: 'created',
    freelancer_status: 'new',
    created_at,
    stages: [stage(2 * number + 1, 'First'), stage(2 * number + 2, 'Second')],
  };
}

function eventOf(number, id, at) {
  const partner_id = `deal-${number}`;
  return {
    id,
    type: 'deal.created',
    ...tenant,
    subject: `deal:${partner_id}`,
    sequence: 1,
    at,
    data: {
      api_version: '1.0',
      partner_id,
      contractor_email: 'user@example.com',
      name: 'Deal name',
      budget: '1000.00',
      currency: 'EUR',
      work_days: 30,
      sub_category_id: 75,
    },
  };
}

function report({ restore, copy }) {
  const speed = medianRatio(copy, restore);
  const row = (title, seconds) => [title, `${median(seconds).toFixed(1)} s`];
  return `${deals.toLocaleString('en')} deals with two stages and an event each into an empty schema, in one transaction: \`restore\` of the
records, made as they go, against \`\\copy\` of the very same rows by psql. Both end with
all indexes. A restore drops those that only find rows and creates them again at the end; COPY keeps
them. ${rounds} rounds, in turns.

${table(['', 'seconds'], [row('restore', restore), row('COPY', copy)])}

- ${speed.toFixed(2)} of the speed of COPY (target: ${target}; ${verdict(speed >= target)}).
`;
}

export const bulkIntoPostgres = {
  name: 'postgres-bulk',
  title: 'A bulk import into PostgreSQL',
  run,
};
