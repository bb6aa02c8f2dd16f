import { PGlite } from '@electric-sql/pglite';
import { createPostgresStore, fromPglite } from 'dealwright/postgres';
import { storeContract } from 'dealwright/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTables } from './tables.js';

let pglite: PGlite;

beforeAll(async () => {
  pglite = await PGlite.create();
}, 60_000);
afterAll(() => pglite.close());

describe('PGlite', () => {
  storeContract({ describe, it }, async () => {
    const schema = await createTables((sql) => pglite.exec(sql));
    return {
      ...createPostgresStore(fromPglite(pglite), { schema }),
      close: async () => {
        await pglite.exec(`drop schema ${schema} cascade`);
      },
    };
  });
});
