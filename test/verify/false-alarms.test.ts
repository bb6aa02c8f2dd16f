import { createFetchHandler } from 'dealwright/http';
import { createHttpStore, createStoreHandler } from 'dealwright/http-store';
import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { type CaseResult, verify } from 'dealwright/verify';
import { createWebhookSender } from 'dealwright/webhooks';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestFile } from '../adapters/sqlite/database.js';
import { startPostgres } from '../kit/postgres.js';
import { isLong } from '../tiers.js';
import { createInMemory } from './in-memory.js';

interface OpenStore {
  readonly store: Store;
  close(): Promise<void>;
}

const stores: Readonly<Record<string, () => Promise<OpenStore>>> = {
  'in SQLite': async () => {
    const file = createTestFile();
    const db = file.open();
    migrateSqlite(db)._unsafeUnwrap();
    return { store: createSqliteStore(db), close: async () => file.remove() };
  },
  'in PostgreSQL': async () => {
    const postgres = await startPostgres({ fsync: false });
    const pool = new pg.Pool({ connectionString: postgres.url });
    (await migratePostgres(pool))._unsafeUnwrap();
    const close = async () => {
      await pool.end();
      await postgres.stop();
    };
    return { store: createPostgresStore(pool), close };
  },
  'over HTTP': async () => {
    const secret = 'secret-of-both-ends';
    const handle = createFetchHandler(createStoreHandler(createMemoryStore(), { secret }));
    const fetch = async (...sent: ConstructorParameters<typeof Request>) =>
      handle(new Request(...sent));
    const store = createHttpStore({ baseUrl: 'http://store.test/store', secret, fetch });
    return { store, close: async () => undefined };
  },
};

/** Why some laws are not applicable: the tokens, a receiver on 127.0.0.1, the currencies, and the mode. */
const reasons = [
  'the service has no view of the other environment',
  'it promises no currencies',
  'the host allows private addresses',
  'the employer is asked for the payment after the work, not before',
];

/** A long run judges over each store, others over one, which the seed chooses. */
const all = Object.entries(stores);
const at = Number(process.env['DEALWRIGHT_SEED']) % all.length;

it.each(isLong ? all : all.slice(at, at + 1))(
  'raises no false alarm over a store %s, behind a prefix',
  async (_, open) => {
    const { store, close } = await open();
    const { dealwright, options } = createInMemory({
      store,
      basePath: '/deals',
      webhooks: createWebhookSender({ allowPrivate: true }),
    });
    const stop = dealwright.start(({ cause }) => {
      throw cause;
    });
    try {
      const { results } = await verify({
        ...options,
        receiver: {},
        runs: 5,
        // what a store can do wrong; the rest is judged in memory
        only: isLong ? '' : ['2.7', '4/list', '7.1', '7.6', '9.6', '9.11'],
      });
      expect(results.filter(({ outcome }) => outcome === 'failed').map(told)).toEqual([]);
      const left = results.filter(({ outcome }) => outcome === 'not_applicable');
      expect(left.filter(({ reason = '' }) => !reasons.includes(reason)).map(told)).toEqual([]);
      expect(results.length - left.length).toBeGreaterThan(500);
    } finally {
      await stop();
      await close();
    }
  },
  600_000,
);

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');
