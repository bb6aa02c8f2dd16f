import type { Answer, PortFailure, Store } from 'dealwright/ports';
import { createPostgresStore, type PostgresStore } from 'dealwright/postgres';
import { storeContract } from 'dealwright/spec';
import type { Result } from 'neverthrow';
import { afterAll, beforeAll, describe } from 'vitest';
import { runGroups } from '../../../kit/groups.js';
import { clearTables } from '../tables.js';
import { type Host, startHost } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await startHost();
}, 120_000);
afterAll(() => host?.close());

type Call<T> = (store: Store) => Answer<T>;

/** Makes a call in a transaction of its own. */
async function inOwn<T>(store: PostgresStore, call: Call<T>): Promise<Result<T, PortFailure>> {
  const client = await host.pool.connect();
  try {
    await client.query('begin');
    const answer = await call(store.within(client));
    await client.query('commit');
    return answer;
  } finally {
    client.release();
  }
}

/** A store with each call in a transaction of its own, and without ids from before. */
function createSubject(): Store {
  const outer = createPostgresStore(host.pool);
  const within = <T>(call: Call<T>) => inOwn(outer, call);
  return {
    commit: (...args) => within((store) => store.commit(...args)),
    reserve: (...args) => outer.reserve(...args),
    deals: {
      byId: (...args) => within((store) => store.deals.byId(...args)),
      byPartnerId: (...args) => within((store) => store.deals.byPartnerId(...args)),
      byPaymentToken: (...args) => within((store) => store.deals.byPaymentToken(...args)),
      list: (...args) => within((store) => store.deals.list(...args)),
    },
    workFiles: { recorded: (...args) => within((store) => store.workFiles.recorded(...args)) },
    events: {
      after: (...args) => within((store) => store.events.after(...args)),
      of: (...args) => within((store) => store.events.of(...args)),
    },
    records: {
      byKey: (...args) => within((store) => store.records.byKey(...args)),
      list: (...args) => within((store) => store.records.list(...args)),
      byIndex: (...args) => within((store) => store.records.byIndex(...args)),
    },
    due: (...args) => within((store) => store.due(...args)),
    tenants: (...args) => within((store) => store.tenants(...args)),
  };
}

describe('a store within transactions', () => {
  const makeStore = async () => {
    await clearTables((text) => host.pool.query(text), 'dealwright');
    const analysed = async () => void (await host.pool.query('analyze'));
    return { ...createSubject(), analysed, close: async () => undefined };
  };
  runGroups(
    [
      'store: writes',
      'store: what refuses a write',
      'store: writes that come again',
      'store: writes at the same time',
    ],
    (runner) => storeContract(runner, makeStore),
  );
});
