import { PGlite } from '@electric-sql/pglite';
import { createPostgresStore, fromPglite } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import { afterAll, beforeAll, describe } from 'vitest';
import { runGroups } from '../../kit/groups.js';
import { clearTables, createTables } from './tables.js';

let pglite: PGlite;

beforeAll(async () => {
  pglite = await PGlite.create({
    // what a host has set for its own statements does not change ours
    parsers: { 25: (text) => ({ parsed: text }) },
    serializers: { 20: (value) => `1${value}`, 25: (value) => `sent ${value}` },
  });
  await createTables((sql) => pglite.exec(sql), 'dealwright');
}, 120_000);
afterAll(() => pglite.close());

describe('PGlite', () => {
  const makeStore = async () => {
    await clearTables((sql) => pglite.exec(sql), 'dealwright');
    const analysed = async () => void (await pglite.exec('analyze'));
    return { ...createPostgresStore(fromPglite(pglite)), analysed, close: async () => undefined };
  };
  runGroups(
    [
      'store: what refuses a write',
      'store: reads of deals',
      'store: records by their keys',
      'store: events',
      'store: integers and tenants',
    ],
    (runner) => storeContract(runner, makeStore),
  );
});
