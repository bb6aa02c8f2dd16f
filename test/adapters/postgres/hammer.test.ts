import type { AddDealOutcome, AddDealV2Outcome, Tenant } from 'dealwright/ports';
import { createPostgresStore, type PostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  globex,
  registration,
} from '../../../spec/store/subject.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { clearTables, createTables } from './tables.js';

const clients = 64;
const createsOfEach = 12;
const tenants = [acme, acmeLive, globex];

let server: Postgres;
let pools: pg.Pool[];
const codes: (string | undefined)[] = [];

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pools = [0, 1].map(() => new pg.Pool({ connectionString: server.socketUrl, max: 16 }));
  await createTables((sql) => server.psql(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  for (const pool of pools ?? []) await pool.end();
  await server?.stop();
});

interface Told {
  readonly tenant: Tenant;
  readonly version: '1.0' | '2.0';
  readonly partner_id: string;
  readonly key: string | undefined;
  readonly event_id: string;
  readonly payment_token: string | undefined;
  readonly outcome: AddDealOutcome | AddDealV2Outcome;
}

/** One create of a handful that all clients fight for, by keys and names that cross. */
async function createSomething(store: PostgresStore, client: number, nth: number): Promise<Told> {
  const tenant = tenants[(client + nth) % tenants.length] as Tenant;
  const round = Math.floor(nth / 2);
  const partner_id = `${round}-${(client * 7 + nth) % 5}`;
  const key = client % 4 === 0 ? undefined : `${round}-${(client * 3 + nth) % 4}`;
  const idempotency = key === undefined ? undefined : { key, fingerprint: key };
  const told = { tenant, partner_id, key };
  if (client % 2 === 0) {
    const given = addition(tenant, partner_id, idempotency);
    const answer = await store.deals.add(tenant, given);
    const outcome = answer._unsafeUnwrap();
    const event_id = given.events[0]?.id ?? '';
    return { ...told, version: '1.0', event_id, payment_token: undefined, outcome };
  }
  const given = additionV2(tenant, partner_id, idempotency);
  const answer = await store.dealsV2.add(tenant, given);
  const event_id = given.events[0]?.id ?? '';
  const { payment_token } = given.deal;
  return { ...told, version: '2.0', event_id, payment_token, outcome: answer._unsafeUnwrap() };
}

interface Row {
  readonly tenant: string;
  readonly partner_id: string;
  readonly api_version: string;
  readonly id: string | null;
  readonly event_id: string;
  readonly idempotency_key: string | null;
  readonly fingerprint: string | null;
  readonly payment_token: string | null;
  readonly stage_ids: number[] | null;
  readonly events: string;
}

const nameOf = ({ environment, partner }: Tenant) => `${environment}:${partner}`;
const rowsSql = `select d.tenant, d.partner_id, d.api_version, d.id, d.event_id, d.idempotency_key,
  d.fingerprint, d.payment_token,
  (select json_agg(s.id order by s.id) from dealwright.stages s
    where s.tenant = d.tenant and s.deal_id = d.id) as stage_ids,
  (select count(*) from dealwright.events e where e.tenant = d.tenant and e.id = d.event_id) as events
  from dealwright.deals d`;
const gapsSql = `select t.tenant from dealwright.tenants t where t.last_position <> (
    select count(*) from dealwright.events e where e.tenant = t.tenant)
  or t.last_position <> (select max(position) from dealwright.events e where e.tenant = t.tenant)
  or (select min(position) from dealwright.events e where e.tenant = t.tenant) <> 1`;

const modes = {
  'each alone': { gather: false },
  gathered: {},
  'gathered by tenant': { gather: { by: 'tenant', maxBatch: 7 } },
} as const;

it.each(Object.entries(modes))(
  'what two stores answer under a crossfire is what there is: %s',
  async (_, options) => {
    const [pool] = pools as [pg.Pool];
    await clearTables((sql) => pool.query(sql), 'dealwright');
    const hooks = { onStatement: ({ code }: { readonly code?: string }) => void codes.push(code) };
    const stores = pools.map((each) => createPostgresStore(each, { ...options, hooks }));
    const [one] = stores as [PostgresStore];
    for (const tenant of tenants)
      (await one.contractors.add(tenant, registration(tenant)))._unsafeUnwrap();

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

    const { rows } = await pool.query<Row>(rowsSql);
    const created = told.filter(({ outcome }) => outcome.outcome === 'created');
    expect(created.map(({ event_id }) => event_id).sort()).toEqual(
      rows.map(({ event_id }) => event_id).sort(),
    );
    const ids = rows.flatMap(({ id, stage_ids }) => [
      ...(id === null ? [] : [Number(id)]),
      ...(stage_ids ?? []),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { tenant, version, partner_id, key, event_id, payment_token, outcome } of told) {
      const ofTenant = rows.filter((row) => row.tenant === nameOf(tenant));
      const own = ofTenant.find((row) => row.event_id === event_id);
      if (outcome.outcome === 'created') {
        const given = {
          version,
          partner_id,
          key: key ?? null,
          payment_token: payment_token ?? null,
        };
        const stored = own && {
          version: own.api_version,
          partner_id: own.partner_id,
          key: own.idempotency_key,
          payment_token: own.payment_token,
        };
        expect([stored, own?.events]).toEqual([given, '1']);
        if ('id' in outcome)
          expect([Number(own?.id), own?.stage_ids]).toEqual([outcome.id, outcome.stage_ids]);
        continue;
      }
      expect(own).toBeUndefined();
      expect(outcome.outcome).toBe('exists');
      if (outcome.outcome !== 'exists') continue;
      if (outcome.by === 'partner_id') {
        expect(ofTenant.some((row) => row.partner_id === partner_id)).toBe(true);
        continue;
      }
      const first = ofTenant.find((row) => row.idempotency_key === key);
      expect(outcome.first).toEqual({
        fingerprint: first?.fingerprint,
        ...(first?.id === null
          ? { payment_token: first.payment_token }
          : { ids: { id: Number(first?.id), stage_ids: first?.stage_ids } }),
      });
    }
    expect((await pool.query(gapsSql)).rows).toEqual([]);
    const counted = await pool.query(
      'select sum(last_position)::int as events from dealwright.tenants',
    );
    // contractors are registered once in an environment
    expect(counted.rows).toEqual([{ events: created.length + 2 }]);
    expect(codes.filter((code) => code === '23505')).toEqual([]);
  },
  120_000,
);

it('batches of one process never wait for each other crosswise, however keys and names cross', async () => {
  const [pool] = pools as [pg.Pool];
  await clearTables((sql) => pool.query(sql), 'dealwright');
  const { dealsV2 } = createPostgresStore(pool);
  const deadlocks = async () => {
    const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
    await pool.query('select pg_stat_force_next_flush()');
    return (await pool.query(sql)).rows[0].deadlocks as number;
  };
  const before = await deadlocks();
  for (let round = 0; round < 40; round += 1) {
    const names = Array.from({ length: 48 }, (_, at) => `${round}-${String(at).padStart(2, '0')}`);
    // the first half meets the keys of the second in the other order
    const adds = names.map((name, at) => {
      const key = `${round}-${at < 24 ? at : 47 - at}`;
      return dealsV2.add(acme, additionV2(acme, name, { key, fingerprint: 'f' }));
    });
    for (const answer of await Promise.all(adds)) expect(answer.isOk()).toBe(true);
  }
  expect((await deadlocks()) - before).toBe(0);
}, 60_000);
