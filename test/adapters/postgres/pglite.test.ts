import { PGlite } from '@electric-sql/pglite';
import { createPostgresStore, fromPglite } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { clearTables, createTables } from './tables.js';

let pglite: PGlite;

beforeAll(async () => {
  pglite = await PGlite.create();
  await createTables((sql) => pglite.exec(sql), 'dealwright');
}, 120_000);
afterAll(() => pglite.close());

describe('PGlite', () => {
  storeContract({ describe, it }, async () => {
    await clearTables((sql) => pglite.exec(sql), 'dealwright');
    return { ...createPostgresStore(fromPglite(pglite)), close: async () => undefined };
  });
});
