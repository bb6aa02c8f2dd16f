import type { Expectation, Row, WriteSet } from 'dealwright/ports';
import { createPostgresStore, type PostgresStoreOptions } from 'dealwright/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acme, globex } from '../../../spec/store/subject.js';
import {
  changeOf,
  committed,
  creation,
  present,
  upload,
  webhookWrite,
  writeOf,
} from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { citusStandIn } from './citus-stand-in.js';
import { clearTables, createTables } from './tables.js';

let server: Postgres;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new Pool({ connectionString: server.socketUrl, max: 20 });
  await createTables((sql) => server.psql(sql), 'dealwright');
  await server.psql(citusStandIn);
});
beforeEach(() => clearTables((sql) => pool.query(sql), 'dealwright'));
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

const modes: Readonly<Record<string, PostgresStoreOptions>> = {
  'each alone': { gather: false },
  gathered: {},
  'gathered by node': { gather: { by: 'node' } },
};

type Fewer<K> = Extract<Expectation, { readonly fewer: K }>;

/** A write, with one more expectation. */
function bounded(write: WriteSet, expected: Expectation): WriteSet {
  return { ...write, expect: [...write.expect, expected] };
}

const live = (than: number, host?: string): Fewer<'webhook'> => ({
  ...{ fewer: 'webhook', than },
  where: { status: ['enabled', 'disabled'], ...(host === undefined ? {} : { host: [host] }) },
});

/** Enables a webhook again, if fewer are live. */
const revival = (id: string, than: number): WriteSet =>
  writeOf({
    expect: [present('webhook', id, { status: ['deleted'] }), live(than)],
    change: [changeOf('webhook', id, { status: 'enabled' })],
  });

const mostAtOnce = 50;
const keys = Array.from({ length: mostAtOnce }, (_, n) => `endpoint-${n}`);

async function countOf(sql: string): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from dealwright.${sql}`);
  return Number(rows[0]?.count);
}

it.each(Object.entries(modes))(
  'fifty at once pass no bound: %s, by two processes',
  async (_, options) => {
    const stores = [0, 1].map(() => createPostgresStore(pool, options));
    const storeOf = (n: number) => stores[n % 2] ?? expect.fail();
    const commitAll = async (writes: readonly WriteSet[], tenant = acme) => {
      const done = await Promise.all(writes.map((write, n) => storeOf(n).commit(tenant, write)));
      return done.filter((each) => each._unsafeUnwrap().outcome === 'committed').length;
    };

    // of a kind without a parent, by one of several values
    const made = keys.map((key, n) =>
      bounded(webhookWrite(key, { host: n % 2 === 0 ? 'a.example' : 'b.example' }), live(10)),
    );
    expect(await commitAll(made)).toBe(10);
    expect(await countOf(`webhooks where tenant = 'sandbox:acme'`)).toBe(10);
    const ofHost = keys.map((key) =>
      bounded(webhookWrite(`c ${key}`, { host: 'c.example' }), live(7, 'c.example')),
    );
    expect(await commitAll(ofHost)).toBe(7);

    // by changes that raise the count
    const deleted = keys.map((key) => webhookWrite(key, { host: null, status: 'deleted' }));
    expect(await commitAll(deleted, globex)).toBe(mostAtOnce);
    expect(
      await commitAll(
        keys.map((key) => revival(key, 20)),
        globex,
      ),
    ).toBe(20);
    expect(await countOf(`webhooks where status = 'enabled' and tenant like '%globex'`)).toBe(20);

    // of a kind below a record, by the values of several fields
    const [deal, one, two] = [901, 902, 903];
    expect(await commitAll([creation('deal', [deal, one, two])])).toBe(1);
    const files = keys.map((_, n) => {
      const uploaded_by = (['partner', 'freelancer'] as const)[n % 2] ?? 'partner';
      const stage = n % 4 < 2 ? one : two;
      const where = { stage_id: [stage], uploaded_by: [uploaded_by], status: ['stored' as const] };
      const row: Partial<Row<'work_file'>> = { status: 'stored', uploaded_by };
      return bounded(upload('deal', stage, row, 1_000), {
        ...{ fewer: 'work_file', under: 'deal', than: 5, where },
      });
    });
    expect(await commitAll(files)).toBe(4 * 5);
    expect(await countOf('work_files')).toBe(4 * 5);

    // both: changes below a record, which they do not name
    expect(await commitAll([creation('other', [911, 912])])).toBe(1);
    const old = keys.map((id) => upload('other', 912, { id, status: 'superseded' }));
    expect(await commitAll(old)).toBe(mostAtOnce);
    const back = keys.map((id) =>
      writeOf({
        expect: [
          present('work_file', id, { status: ['superseded'] }),
          { fewer: 'work_file', under: 'other', than: 8, where: { status: ['stored'] } },
        ],
        change: [changeOf('work_file', id, { status: 'stored' })],
      }),
    );
    expect(await commitAll(back)).toBe(8);
    expect(await countOf(`work_files where partner_id = 'other' and status = 'stored'`)).toBe(8);
  },
);

it('takes no write with another that counts what it may change', async () => {
  const sizes: number[] = [];
  const store = createPostgresStore(pool, {
    hooks: { onStatement: ({ rows }) => void sizes.push(rows) },
  });
  const plain = keys.map((key) => store.commit(acme, webhookWrite(key)));
  await Promise.all(plain);
  expect(Math.max(...sizes)).toBeGreaterThan(1);
  sizes.length = 0;
  const answers = await Promise.all(
    keys.map((key) => store.commit(acme, bounded(webhookWrite(`more ${key}`), live(1_000)))),
  );
  for (const answer of answers) expect(answer._unsafeUnwrap()).toEqual(committed);
  expect(sizes).toEqual(Array(mostAtOnce).fill(1));
});
