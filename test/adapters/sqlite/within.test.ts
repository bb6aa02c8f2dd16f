import { fileURLToPath } from 'node:url';
import type { Answer, PortFailure, Store } from 'dealwright/ports';
import { storeContract } from 'dealwright/spec';
import { createSqliteStore, transactionAfter } from 'dealwright/sqlite';
import type Database from 'libsql';
import type { Result } from 'neverthrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../kit/children.js';
import { acme, addition, additionOf, committed, refused, registration } from '../sql/writes.js';
import { createTestStore, type TestStore } from './database.js';

let store: TestStore;
let host: Database.Database;
beforeEach(async () => {
  store = createTestStore({ busyTimeout: 100 });
  host = store.file.open();
  host.exec('pragma busy_timeout = 0');
  host.exec('create table orders (id text primary key)');
  (await store.commit(acme, registration()))._unsafeUnwrap();
});
afterEach(() => store.close());

const order = (id: string) => `insert into orders (id) values ('${id}')`;

/** The rows of the host and the deals, by their names. */
function found() {
  const names = (sql: string) =>
    store.db
      .prepare(sql)
      .all()
      .map((row) => String(Object(row).id));
  return {
    rows: names('select id from orders order by id'),
    deals: names('select partner_id as id from dealwright_deals order by partner_id'),
  };
}

const codeIn = ({ cause }: PortFailure) => Object(cause).code;

describe('a store within a transaction of SQLite', () => {
  it('commits a deal and a row of the host together', async () => {
    const own = store.within(host);
    host.exec('begin immediate');
    host.exec(order('1'));
    expect((await own.commit(acme, await addition(own, '1')))._unsafeUnwrap()).toEqual(committed);
    const read = (await own.deals.byPartnerId(acme, '1', ['stage']))._unsafeUnwrap();
    expect(found()).toEqual({ rows: [], deals: [] });
    host.exec('commit');
    expect(found()).toEqual({ rows: ['1'], deals: ['1'] });
    expect((await store.deals.byPartnerId(acme, '1', ['stage']))._unsafeUnwrap()).toEqual(read);
  });

  it('rolls both back, and gives the integers again', async () => {
    const own = store.within(host);
    host.exec('begin immediate');
    host.exec(order('1'));
    const write = await addition(own, '1');
    (await own.commit(acme, write))._unsafeUnwrap();
    host.exec('rollback');
    expect(found()).toEqual({ rows: [], deals: [] });
    host.exec('begin immediate');
    const again = await addition(own, '1');
    expect(again.insert[0]?.row).toMatchObject({ id: Object(write.insert[0]?.row).id });
    (await own.commit(acme, again))._unsafeUnwrap();
    host.exec('commit');
    expect(found()).toEqual({ rows: [], deals: ['1'] });
  });

  it('never gives an integer of the store outside', async () => {
    const outside = (await store.reserve('sandbox', 1))._unsafeUnwrap();
    host.exec('begin immediate');
    const inside = (await store.within(host).reserve('sandbox', 3))._unsafeUnwrap();
    host.exec('commit');
    const rest = [];
    for (let count = 0; count < 600; count += 1) {
      rest.push((await store.reserve('sandbox', 1))._unsafeUnwrap());
    }
    const all = [outside, inside, inside + 1, inside + 2, ...rest];
    expect(new Set(all).size).toBe(all.length);
  });

  it('goes on after a refusal, and after a value that the database refuses', async () => {
    (await store.commit(acme, await addition(store, '1')))._unsafeUnwrap();
    const own = store.within(host);
    host.exec('begin immediate');
    expect((await own.commit(acme, await addition(own, '1')))._unsafeUnwrap()).toEqual(refused(0));
    const twice = additionOf(1_000, '2');
    const broken = { ...twice, insert: [...twice.insert, ...twice.insert] };
    const failure = (await own.commit(acme, broken))._unsafeUnwrapErr();
    expect([transactionAfter(failure), codeIn(failure), failure.outcome]).toEqual([
      'usable',
      'SQLITE_CONSTRAINT',
      'none',
    ]);
    host.exec(order('3'));
    (await own.commit(acme, await addition(own, '3')))._unsafeUnwrap();
    host.exec('commit');
    expect(found()).toEqual({ rows: ['3'], deals: ['1', '3'] });
  });

  it('refuses a connection that is not within one, its own, and what is not a connection', async () => {
    const write = additionOf(1, '1');
    const failure = (await store.within(host).commit(acme, write))._unsafeUnwrapErr();
    expect([failure.retryable, Object(failure.cause).message]).toEqual([
      false,
      'the connection is not within a transaction: begin one first',
    ]);
    expect(host.inTransaction).toBe(false);
    expect(found().deals).toEqual([]);
    expect(() => store.within(store.db)).toThrow(TypeError);
    const no: object = {};
    expect(() => store.within(no as Database.Database)).toThrow(TypeError);
  });

  it('is lost if another write came since its first read, and is made again', async () => {
    const own = store.within(host);
    host.exec('begin');
    host.prepare('select * from orders').all();
    (await store.commit(acme, await addition(store, '1')))._unsafeUnwrap();
    const failure = (await own.commit(acme, additionOf(1_000, '2')))._unsafeUnwrapErr();
    expect([transactionAfter(failure), codeIn(failure), failure.retryable]).toEqual([
      'lost',
      'SQLITE_BUSY',
      true,
    ]);
    host.exec('rollback');
    // libsql keeps a busy statement under way, so that this connection can no longer write
    const next = store.file.open();
    next.exec('begin immediate');
    next.exec(order('2'));
    const again = store.within(next);
    (await again.commit(acme, await addition(again, '2')))._unsafeUnwrap();
    next.exec('commit');
    expect(found()).toEqual({ rows: ['2'], deals: ['1', '2'] });
  });

  it('of two that would wait for each other one is told at once, and the other is whole', async () => {
    const second = store.file.open();
    second.exec('pragma busy_timeout = 0');
    const own = [store.within(host), store.within(second)] as const;
    for (const each of [host, second]) {
      each.exec('begin');
      each.prepare('select * from orders').all();
    }
    host.exec(order('1'));
    const failure = (await own[1].commit(acme, additionOf(1_000, '2')))._unsafeUnwrapErr();
    expect([codeIn(failure), failure.retryable]).toEqual(['SQLITE_BUSY', true]);
    second.exec('rollback');
    (await own[0].commit(acme, await addition(own[0], '1')))._unsafeUnwrap();
    host.exec('commit');
    expect(found()).toEqual({ rows: ['1'], deals: ['1'] });
  });

  it('blocks other writes until it is over, and allows them afterwards', async () => {
    const own = store.within(host);
    host.exec('begin immediate');
    (await own.commit(acme, await addition(own, '1')))._unsafeUnwrap();
    const waited = (await store.commit(acme, additionOf(1_000, '2')))._unsafeUnwrapErr();
    expect(waited).toMatchObject({ outcome: 'none', retryable: true, retryAfter: 1 });
    host.exec('commit');
    (await store.commit(acme, additionOf(1_000, '2')))._unsafeUnwrap();
    expect(found().deals).toEqual(['1', '2']);
  });

  it('says that the transaction is over if SQLite has ended it', async () => {
    const own = store.within(host);
    host.exec('begin immediate');
    host.exec(`create temp trigger ends before insert on dealwright_deals
      begin select raise(rollback, 'ended'); end`);
    const failure = (await own.commit(acme, await addition(own, '1')))._unsafeUnwrapErr();
    expect(transactionAfter(failure)).toBe('lost');
    expect(host.inTransaction).toBe(false);
  });

  it.each([
    ['before', []],
    ['after', ['1']],
  ] as const)('has both or neither if the process is killed %s the commit', async (when, all) => {
    const child = fileURLToPath(new URL('children/within.mjs', import.meta.url));
    const ended = await run(process.execPath, [child, store.file.path, when], 'reached');
    expect([ended.signal, ended.stderr]).toEqual(['SIGKILL', '']);
    expect(found()).toEqual({ rows: all, deals: all });
  });

  it('reports its writes and reads to the hooks', async () => {
    const seen: string[] = [];
    const onStatement = (report: { statement: string }) => void seen.push(report.statement);
    const own = createSqliteStore(store.file.open(), { hooks: { onStatement } }).within(host);
    host.exec('begin immediate');
    (await own.commit(acme, await addition(own, '1')))._unsafeUnwrap();
    (await own.tenants(undefined, 1))._unsafeUnwrap();
    host.exec('commit');
    expect(seen).toEqual(['reserve', 'commit', 'tenants']);
  });
});

describe('each call of a store within a transaction of its own', () => {
  storeContract({ describe, it }, () => {
    const subject = createTestStore();
    const db = subject.file.open();
    const own = subject.within(db);
    /** No other call comes between BEGIN and COMMIT: SQLite answers at once. */
    const within = <T>(call: (store: Store) => Answer<T>): Result<T, PortFailure> => {
      db.exec('begin immediate');
      const answer = call(own);
      db.exec('commit');
      if ('then' in answer) throw new Error('a store within a transaction answers at once');
      return answer;
    };
    const { deals, workFiles, events, records } = own;
    return {
      commit: (...args) => within(() => own.commit(...args)),
      reserve: (...args) => within(() => own.reserve(...args)),
      deals: {
        byId: (...args) => within(() => deals.byId(...args)),
        byPartnerId: (...args) => within(() => deals.byPartnerId(...args)),
        byPaymentToken: (...args) => within(() => deals.byPaymentToken(...args)),
        list: (...args) => within(() => deals.list(...args)),
      },
      workFiles: { recorded: (...args) => within(() => workFiles.recorded(...args)) },
      events: {
        after: (...args) => within(() => events.after(...args)),
        of: (...args) => within(() => events.of(...args)),
      },
      records: {
        byKey: (...args) => within(() => records.byKey(...args)),
        list: (...args) => within(() => records.list(...args)),
        byIndex: (...args) => within(() => records.byIndex(...args)),
      },
      due: (...args) => within(() => own.due(...args)),
      tenants: (...args) => within(() => own.tenants(...args)),
      close: () => subject.close(),
    };
  });
});
