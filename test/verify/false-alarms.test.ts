import { createFetchHandler } from 'dealwright/http';
import { createHttpStore, createStoreHandler } from 'dealwright/http-store';
import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { type CaseResult, verify } from 'dealwright/verify';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestFile } from '../adapters/sqlite/database.js';
import { startPostgres } from '../kit/postgres.js';
import { serveInMemory } from './in-memory.js';
import { isFailure } from './not-built.js';

interface OpenStore {
  readonly store: Store;
  close(): Promise<void>;
}

const stores: Readonly<Record<string, () => Promise<OpenStore>>> = {
  'in memory': async () => ({ store: createMemoryStore(), close: async () => undefined }),
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

it.each(Object.entries(stores))(
  'raises no false alarm over a store %s, twice in a row on one service, behind a prefix',
  async (_, open) => {
    const { store, close } = await open();
    const service = await serveInMemory({ store, basePath: '/deals' });
    try {
      for (const run of ['first', 'second']) {
        const { results } = await verify({ ...service.options, environment: 'sandbox' });
        const left = results.filter(({ outcome }) => outcome === 'not_applicable');
        expect([...results.filter(isFailure), ...left].map(told), run).toEqual([]);
      }
    } finally {
      await service.close();
      await close();
    }
  },
  600_000,
);

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');
