import type { CommitOutcome, Tenant, WriteSet } from 'dealwright/ports';
import { createPostgresStore, type PostgresLike, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme, acmeLive, globex } from '../../../spec/store/subject.js';
import { creation, registration, under } from '../../../spec/store/writes.js';
import { createDice } from '../../faults/dice.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { dealOf } from './new-deals.js';
import { clearTables, createTables } from './tables.js';
import { gapsSql } from './tally.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const clients = 64;
/** In three modes some 5,000; more where somebody asks for it. */
const createsOfEach = Number(process.env['HAMMER'] ?? 26);
const tenants = [acme, acmeLive, globex];

let server: Postgres;
let pools: pg.Pool[];
const codes: (string | undefined)[] = [];

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pools = [0, 1].map(() => new pg.Pool({ connectionString: server.socketUrl, max: 16 }));
  for (const pool of pools) pool.on('error', () => undefined);
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  for (const pool of pools ?? []) await pool.end();
  await server?.stop();
});

interface Told {
  readonly tenant: Tenant;
  readonly partner_id: string;
  readonly key: string | undefined;
  readonly id: number;
  readonly write: WriteSet;
  /** Nothing where it is not known what became of it. */
  outcome: CommitOutcome | 'none' | undefined;
}

/** One create of a handful that all clients compete for, by keys and names that cross. */
async function createSomething(store: PostgresStore, client: number, nth: number): Promise<Told> {
  const tenant = tenants[(client + nth) % tenants.length] as Tenant;
  const round = Math.floor(nth / 2);
  const partner_id = `${round}-${(client * 7 + nth) % 5}`;
  const key = client % 4 === 0 ? undefined : `${round}-${(client * 3 + nth) % 4}`;
  const reserved = await store.reserve(tenant.environment, 2);
  const id = reserved.unwrapOr(0);
  const create = creation(partner_id, [id, id + 1]);
  const given = { fingerprint: `${key}`, answer: JSON.stringify({ id }) };
  const write = key === undefined ? create : under(key, create, given);
  const told: Told = { tenant, partner_id, key, id, write, outcome: 'none' };
  if (reserved.isErr()) return told;
  const answer = await store.commit(tenant, write);
  if (answer.isOk()) told.outcome = answer.value;
  else if (answer.error.outcome === 'unknown') told.outcome = undefined;
  return told;
}

/** Loses some answers after the statement was carried out. */
function losing(db: PostgresLike, percent: number): PostgresLike {
  const dice = createDice(seed);
  return {
    async query(statement) {
      const answer = await db.query(statement);
      if (!dice.isBelow(percent)) return answer;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
}

interface Row {
  readonly tenant: string;
  readonly partner_id: string;
  readonly id: string;
  readonly attempt: string;
  readonly key: string | null;
  readonly stage_ids: number[];
  readonly events: number;
}

const nameOf = ({ environment, partner }: Tenant) => `${environment}:${partner}`;
const rowsSql = `select d.tenant, d.partner_id, d.id, d.attempt,
  (select a.answer_key from dealwright.answers a
    where a.tenant = d.tenant and a.attempt = d.attempt) as key,
  (select json_agg(s.id order by s.id) from dealwright.stages s
    where s.tenant = d.tenant and s.partner_id = d.partner_id) as stage_ids,
  (select count(*)::int from dealwright.events e
    where e.tenant = d.tenant and e.subject = 'deal:' || d.partner_id) as events
  from dealwright.deals d`;

const modes = {
  'each alone': { gather: false },
  gathered: {},
  'gathered by tenant': { gather: { by: 'tenant', maxBatch: 7 } },
} as const;

it.each(Object.entries(modes))(
  `what two stores answer under a crossfire is what they hold: %s (SEED=${seed})`,
  async (_, options) => {
    const [pool] = pools as [pg.Pool];
    await clearTables((sql) => pool.query(sql), 'dealwright');
    const hooks = { onStatement: ({ code }: { readonly code?: string }) => void codes.push(code) };
    const stores = pools.map((each) => createPostgresStore(losing(each, 2), { ...options, hooks }));
    const [one] = stores as [PostgresStore];
    // tenants of one environment compete for a contractor
    const registered = await Promise.all(
      tenants.map((tenant) => one.commit(tenant, registration('user@example.com'))),
    );
    expect(registered.map((each) => each._unsafeUnwrap().outcome).sort()).toEqual([
      ...['committed', 'committed', 'refused'],
    ]);

    let isOver = false;
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 2`;
    const killing = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await server.psql(kill);
      }
    })();
    const told = (
      await Promise.all(
        Array.from({ length: clients }, async (_each, client) => {
          const store = stores[client % stores.length] as PostgresStore;
          const own: Told[] = [];
          for (let nth = 0; nth < createsOfEach; nth += 1) {
            own.push(await createSomething(store, client, nth));
          }
          return own;
        }),
      )
    ).flat();
    isOver = true;
    await killing;
    // what is in doubt is settled by sending it again
    for (const each of told.filter(({ outcome }) => outcome === undefined)) {
      const again = await createPostgresStore(pool).commit(each.tenant, each.write);
      each.outcome = again._unsafeUnwrap();
    }

    const { rows } = await pool.query<Row>(rowsSql);
    const isMade = ({ outcome }: Told) =>
      typeof outcome === 'object' && outcome.outcome === 'committed';
    expect(
      told
        .filter(isMade)
        .map(({ write }) => write.attempt)
        .sort(),
    ).toEqual(rows.map(({ attempt }) => attempt).sort());
    expect(rows.length).toBeGreaterThan(createsOfEach);
    const ids = rows
      .filter(({ tenant }) => tenant !== nameOf(acmeLive))
      .flatMap(({ id, stage_ids }) => [Number(id), ...stage_ids]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const each of told) {
      const { tenant, partner_id, key, id, write, outcome } = each;
      const ofTenant = rows.filter((row) => row.tenant === nameOf(tenant));
      const own = ofTenant.find((row) => row.attempt === write.attempt);
      if (isMade(each)) {
        const stored = { tenant: nameOf(tenant), partner_id, attempt: write.attempt };
        const rest = { id: String(id), key: key ?? null, stage_ids: [id + 1], events: 1 };
        expect(own).toEqual({ ...stored, ...rest });
        continue;
      }
      expect(own).toBeUndefined();
      if (outcome === 'none' || outcome?.outcome !== 'refused') continue;
      const isByKey = key !== undefined && outcome.expectation === 0;
      if (!isByKey) {
        expect(ofTenant.some((row) => row.partner_id === partner_id)).toBe(true);
        continue;
      }
      const first = ofTenant.find((row) => row.key === key);
      expect(outcome.first).toEqual({
        fingerprint: key,
        answer: JSON.stringify({ id: Number(first?.id) }),
      });
    }
    expect((await pool.query(gapsSql)).rows).toEqual([]);
    expect(codes.filter((code) => code === '23505' || code === '40P01')).toEqual([]);
  },
  120_000,
);

it('batches of one process never wait for each other crosswise, however keys and names cross', async () => {
  const [pool] = pools as [pg.Pool];
  await clearTables((sql) => pool.query(sql), 'dealwright');
  const store = createPostgresStore(pool);
  const deadlocks = async () => {
    const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
    await pool.query('select pg_stat_force_next_flush()');
    return (await pool.query(sql)).rows[0].deadlocks as number;
  };
  const before = await deadlocks();
  for (let round = 0; round < 40; round += 1) {
    const names = Array.from({ length: 48 }, (_, at) => `${round}-${String(at).padStart(2, '0')}`);
    // the first half meets the keys of the second in the other order
    const adds = names.map((name, at) =>
      store.commit(acme, under(`${round}-${at < 24 ? at : 47 - at}`, dealOf(name))),
    );
    for (const answer of await Promise.all(adds)) expect(answer.isOk()).toBe(true);
  }
  expect((await deadlocks()) - before).toBe(0);
}, 60_000);
