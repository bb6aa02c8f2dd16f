import { migratePostgres } from 'dealwright/postgres';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { createApi, createPool } from './app.mjs';
import { startPostgres } from './cluster.mjs';

const sizes = [1_000, 1_000_000];
const rounds = 61;
const calls = 40;
const target = 1.3;
const pageSize = 20;
const first = Date.UTC(2026, 0, 1);

/** The calls that are measured, each at another place of the table. */
export const questions = {
  'a page of all deals, anywhere': (api, at) =>
    api.listDeals({ page_size: pageSize, created_to: timeOf(at) }),
  'a page of those of one status, every second one': (api, at) =>
    api.listDeals({ page_size: pageSize, created_to: timeOf(at), status: 'accepted' }),
  'a page of those of one freelancer, every twentieth': (api, at) =>
    api.listDeals({
      page_size: pageSize,
      created_to: timeOf(at),
      email_freelancer: 'rare@example.com',
    }),
  'a deal by its partner_id': (api, at) => api.retrieveDealDetails(`deal-${at}`),
  'a deal by its id': (api, at) => api.retrieveDeal(at),
};

function timeOf(number) {
  return new Date(first + number * 1000).toISOString();
}

async function run() {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB' } });
  const pools = [];
  try {
    const apis = [];
    for (const size of sizes) {
      const address = await postgres.createDatabase();
      const pool = createPool(address.socketUrl);
      pools.push(pool);
      (await migratePostgres(pool))._unsafeUnwrap();
      await postgres.psql(fill(size), address);
      apis.push(createApi(pool));
    }
    return report(await measure(apis));
  } finally {
    for (const pool of pools) await pool.end();
    await postgres.stop();
  }
}

async function measure(apis) {
  const figures = Object.fromEntries(Object.keys(questions).map((name) => [name, [[], []]]));
  let seed = 1;
  // numbers that are the same in each run
  const draw = (size) => {
    seed = (seed * 48_271) % 2_147_483_647;
    // in the newer half, after which every page is full
    return size / 2 + 1 + (seed % (size / 2));
  };
  // round 0 warms up
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, ask] of Object.entries(questions)) {
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const begin = performance.now();
        for (let call = 0; call < calls; call += 1) {
          const answer = await ask(apis[index], draw(sizes[index]));
          if (answer.isErr()) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
        }
        const microseconds = ((performance.now() - begin) * 1000) / calls;
        if (round > 0) figures[name][index].push(microseconds);
      }
    }
  }
  return figures;
}

/** A number of deals of version 1.0 with a stage and an event each, a second apart. */
export function fill(size) {
  const at = `to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;
  const email = `case when n % 20 = 0 then 'rare@example.com' else 'user@example.com' end`;
  const numbers = `generate_series(1, ${size}) n`;
  return `
    set synchronous_commit = off;
    insert into dealwright.deals (tenant, partner_id, api_version, id, created_at, attempt, version,
      status, freelancer_status, email_key, description, currency, email_freelancer, title, amount,
      work_days, subcategory_id, mode, employer_fee, contractor_fee)
    select 'production:acme', 'deal-' || n, '1.0', n, ${at}, '01KDVE' || lpad(n::text, 20, '0'), 1,
      case when n % 2 = 0 then 'accepted' else 'created' end, 'new', ${email}, 'Deal description',
      'EUR', ${email}, 'Deal name', 1000, 30, 75, 'invoice', 0, 0 from ${numbers};
    insert into dealwright.stages (tenant, id, partner_id, name, budget, work_days, status, attempt)
    select 'production:acme', n, 'deal-' || n, 'Deal name', 1000, 30, 'pending',
      '01KDVE' || lpad(n::text, 20, '0') from ${numbers};
    insert into dealwright.events (tenant, position, id, type, subject, sequence, at, actor,
      data)
    select 'production:acme', n, '01KDVE' || lpad(n::text, 20, '0'), 'deal.created', 'deal:deal-' || n,
      1, ${at}, 'partner', '{}' from ${numbers};
    insert into dealwright.tenants values ('production:acme', ${size});
    vacuum analyze dealwright.deals, dealwright.stages, dealwright.events;
    checkpoint;`;
}

function report(figures) {
  const ratios = Object.entries(figures).map(([name, [few, many]]) => [
    name,
    few,
    many,
    medianRatio(many, few),
  ]);
  const rows = ratios.map(([name, few, many, ratio]) => [
    name,
    `${median(few).toFixed(0)} us`,
    `${median(many).toFixed(0)} us`,
    `${ratio.toFixed(2)}x`,
  ]);
  const worst = Math.max(...ratios.map(([, , , ratio]) => ratio));
  return `In process, over a Unix socket, one call after the other, each at another place of the list; ${pageSize} deals a
page. ${rounds} rounds of ${calls} calls each, in turns. All tables fit into memory.

${table(['', '1,000 deals', '1,000,000 deals', 'against 1,000'], rows)}

- The worst: ${worst.toFixed(2)}x (target: ${target}; ${verdict(worst <= target)}).
`;
}

export const listOnPostgres = {
  name: 'postgres-list',
  title: 'Lists and retrieval in PostgreSQL, by the size of the table',
  run,
};
