import { createMemoryStore } from 'dealwright/memory';
import {
  type IndexOwner,
  type IndexRange,
  membersOf,
  type RecordKind,
  records,
  type Store,
  shapeOf,
} from 'dealwright/ports';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../adapters/http/store/protocol.js';
import { acme, acmeLive, ask, globex } from '../../../spec/store/subject.js';
import { creation, numbers } from '../../../spec/store/writes.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { createHastyStore, type TestStore } from '../sqlite/database.js';
import { createPair, requestOf, secret } from './pair.js';

const headers = { authorization: `Bearer ${secret}`, 'dealwright-store': version };
const sandbox: IndexOwner = { environment: 'sandbox' };

const range = (given: Partial<IndexRange>) => ({
  ...{ index: ['title', 'attempt'], equal: [], direction: 'ascending', limit: 9 },
  ...given,
});

/** Parameters that no index has; some are SQL that would read or change what is another's. */
const hostile: Readonly<Record<string, readonly unknown[]>> = {
  'SQL in place of a name': [sandbox, 'deal', range({ index: ["title) or ('1'='1", 'attempt'] })],
  'SQL after a name': [
    acme,
    'deal',
    range({ index: ['created_at, (select payment_token from dealwright.deals) --', 'attempt'] }),
  ],
  'SQL in a name with a value': [
    acme,
    'deal',
    range({ index: ["status = 'x' or t.status", 'created_at', 'attempt'], equal: ['created'] }),
  ],
  'SQL that ends the statement': [
    sandbox,
    'deal',
    range({ index: ['title; delete from dealwright.deals; --', 'attempt'] }),
  ],
  'two names in one': [sandbox, 'deal', range({ index: ['title,attempt'] })],
  'two names joined by the mark of the index': [
    sandbox,
    'deal',
    range({ index: ['title_attempt'] }),
  ],
  'a secret field': [sandbox, 'deal', range({ index: ['payment_token'] })],
  'fields in another order': [sandbox, 'deal', range({ index: ['attempt', 'title'] })],
  'a part of an index': [sandbox, 'deal', range({ index: ['title'] })],
  'no field': [sandbox, 'deal', range({ index: [] })],
  'an index of one tenant for all': [
    sandbox,
    'deal',
    range({ index: ['freelancer_status', 'created_at', 'attempt'] }),
  ],
  'an index of all for one tenant': [acme, 'deal', range({})],
  'an index of another kind': [sandbox, 'work_file', range({})],
  'a kind that no tenant has': [sandbox, 'contractor', range({ index: ['contractor_key'] })],
  'a value for each field': [sandbox, 'deal', range({ equal: ['Logo', 'a'] })],
  'more values than fields': [sandbox, 'deal', range({ equal: ['Logo', 'a', 'b'] })],
  'a value of another type': [sandbox, 'deal', range({ equal: [1] })],
  'a value that is null': [sandbox, 'deal', range({ equal: [null] })],
  'too few values to go on after': [sandbox, 'deal', range({ after: ['Logo'] })],
  'too many values to go on after': [sandbox, 'deal', range({ after: ['Logo', 'a', 'b'] })],
  'a place of another type': [sandbox, 'deal', range({ after: ['Logo', 1] })],
  'a tenant without a name': [{ ...sandbox, partner: '' }, 'deal', range({})],
  'a tenant with a long name': [{ ...sandbox, partner: 'x'.repeat(129) }, 'deal', range({})],
  'an environment that does not exist': [{ environment: 's%' }, 'deal', range({})],
};

/** Ranges of indexes, and others. */
const anyOwner = fc.constantFrom<IndexOwner>(sandbox, acme, acmeLive);
const name = fc.oneof(
  fc.constantFrom(...Object.values(records).flatMap(({ fields }) => Object.keys(fields))),
  fc.constantFrom('attempt', 'tenant', "'", '"', '1', 'title--', '(select 1)', '$1', '?', '%s'),
  fc.string({ maxLength: 5 }),
);
const kinds = Object.keys(records).filter((kind) => kind !== 'event') as RecordKind[];
const asked = fc.constantFrom(...kinds).chain((kind) => {
  const { indexes, across = [] } = shapeOf(kind);
  const known = [...indexes, ...across];
  const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom("'", 'created', null));
  return fc.tuple(
    anyOwner,
    fc.constant(kind),
    fc.record(
      {
        index: fc.oneof(
          fc.constantFrom<readonly string[]>(...known, []),
          fc.array(name, { maxLength: 4 }),
        ),
        equal: fc.array(value, { maxLength: 3 }),
        from: fc.string(),
        to: fc.string(),
        direction: fc.constantFrom('ascending', 'descending'),
        after: fc.array(value, { maxLength: 3 }),
        limit: fc.constantFrom(1, 9),
      },
      { requiredKeys: ['index', 'equal', 'direction', 'limit'], noNullPrototype: true },
    ),
  );
});

/** What a range has to be, from the table of fields alone. */
function isKnown(
  owner: IndexOwner,
  kind: RecordKind,
  { index, equal, from, to, after }: Asked,
): boolean {
  const types = index.map((field) => {
    return membersOf(kind)[field]?.type === 'integer' ? 'number' : 'string';
  });
  const rest = types.slice(equal.length);
  const typesOf = (values: readonly unknown[]) => values.map((value) => typeof value).join();
  return (
    isIndex(owner, kind, index) &&
    rest.length > 0 &&
    typesOf(equal) === types.slice(0, equal.length).join() &&
    (after === undefined || typesOf(after) === rest.join()) &&
    ((from === undefined && to === undefined) || rest[0] === 'string')
  );
}

function isIndex({ partner }: IndexOwner, kind: RecordKind, index: readonly string[]): boolean {
  const { indexes, across = [] } = shapeOf(kind);
  const known = partner === undefined ? across : indexes;
  return known.some((each) => JSON.stringify(each) === JSON.stringify(index));
}

interface Asked extends Pick<IndexRange, 'index' | 'from' | 'to'> {
  readonly equal: readonly unknown[];
  readonly after?: readonly unknown[];
}

let server: Postgres;
let pool: pg.Pool;
let sqlite: TestStore;
const stores: Record<string, Store> = { memory: createMemoryStore() };

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 2 });
  (await migratePostgres(pool))._unsafeUnwrap();
  sqlite = createHastyStore();
  Object.assign(stores, { PostgreSQL: createPostgresStore(pool), SQLite: sqlite });
  for (const store of Object.values(stores)) {
    for (const tenant of [acme, globex, acmeLive]) {
      const own = await numbers(store, tenant, 1);
      await ask(store.commit(tenant, creation('deal', own, { title: 'Logo' })));
    }
  }
}, 120_000);
afterAll(async () => {
  await sqlite?.close();
  await pool?.end();
  await server?.stop();
});

describe.each(['memory', 'SQLite', 'PostgreSQL'])('a store over HTTP in front of %s', (kept) => {
  const send = (given: readonly unknown[]) => {
    const { handle } = createPair(stores[kept] as Store);
    return handle(requestOf('records-by-index', JSON.stringify(given), headers));
  };
  const titles = async () => {
    const { store } = createPair(stores[kept] as Store);
    const found = await ask(store.records.byIndex(sandbox, 'deal', range({}) as IndexRange));
    return found.map(({ partner, row }) => `${partner} ${row.title}`).sort();
  };

  it.each(Object.entries(hostile))('refuses %s, and is not asked', async (_, given) => {
    const response = await send(given);
    expect([response.status, Object(await response.json()).code]).toEqual([400, 'invalid_request']);
    expect(await titles()).toEqual(['acme Logo', 'globex Logo']);
  });

  it('answers every range of an index, and refuses every other one', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (given) => {
        const { status } = await send(given);
        expect(status).toBe(isKnown(...given) ? 200 : 400);
      }),
      { numRuns: 500 },
    );
    expect(await titles()).toEqual(['acme Logo', 'globex Logo']);
  });
});

it.each(['SQLite', 'PostgreSQL'])(
  '%s makes no query of names that it does not know',
  async (kept) => {
    const store = stores[kept] as Store;
    for (const given of Object.values(hostile)) {
      const [whom, kind, wanted] = given as Parameters<Store['records']['byIndex']>;
      // values are parameters of the query
      if (isIndex(whom, kind, wanted.index)) continue;
      const isRefused = await Promise.resolve()
        .then(() => store.records.byIndex(whom, kind, wanted))
        .then(
          (answer) => answer.isErr(),
          (thrown) => thrown instanceof TypeError,
        );
      expect(isRefused).toBe(true);
    }
  },
);
