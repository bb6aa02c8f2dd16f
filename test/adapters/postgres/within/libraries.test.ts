import type { PortFailure } from 'dealwright/ports';
import { transactionAfter } from 'dealwright/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acme, addition, committed, refused } from '../../sql/writes.js';
import { type HostTransaction, type Level, type Library, libraries } from './bridges.js';
import { type Host, startHost } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await startHost();
}, 120_000);
afterAll(() => host?.close());
beforeEach(() => host.clear());

const order = (id: string) => `insert into orders (id) values ('${id}')`;
const nothing = { rows: [], deals: [] };

/** Thrown to roll a transaction back. */
class RolledBack extends Error {
  constructor(readonly failure?: PortFailure) {
    super('rolled back');
  }
}

/** Writes a deal of acme in a transaction, and returns the outcome. */
async function create({ connection }: HostTransaction, partner_id: string) {
  const store = host.store.within(connection);
  return store.commit(acme, await addition(store, partner_id));
}

/** The same, but a failure is thrown, and rolls the transaction back. */
async function createOrThrow(tx: HostTransaction, partner_id: string) {
  const answer = await create(tx, partner_id);
  if (answer.isErr()) throw new RolledBack(answer.error);
  return answer.value;
}

/** The failure of a transaction. */
async function failureOf(transaction: Promise<unknown>): Promise<PortFailure> {
  const thrown = await transaction.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof RolledBack && thrown.failure !== undefined) return thrown.failure;
  throw new Error('the transaction did not fail as it should', { cause: thrown });
}

const tell = (failure: PortFailure) => ({
  after: transactionAfter(failure),
  code: Object(failure.cause).code,
  outcome: failure.outcome,
  retryable: failure.retryable,
});

/** Something that happens once. */
function createSignal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Waits until so many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await host.pool.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock'",
    );
    if (rows.length >= count) return;
  }
}

describe.each(Object.entries(libraries))('a transaction of %s', (_, open) => {
  let library: Library;
  beforeEach(() => {
    library = open(host.server.url);
  });
  afterEach(() => library.close());

  it.each(['read committed', 'repeatable read', 'serializable'] as const)(
    'commits a deal and a row of the host together, in %s',
    async (level) => {
      const read = await library.transaction(async (tx) => {
        await tx.run(order('1'));
        expect(await createOrThrow(tx, '1')).toEqual(committed);
        expect(await host.found()).toEqual(nothing);
        const store = host.store.within(tx.connection);
        return (await store.deals.byPartnerId(acme, '1', ['stage']))._unsafeUnwrap();
      }, level);
      expect(read?.stage).toHaveLength(1);
      expect(await host.found()).toEqual({ rows: ['1'], deals: ['1'] });
      const seen = await host.store.deals.byPartnerId(acme, '1', ['stage']);
      expect(seen._unsafeUnwrap()).toEqual(read);
    },
  );

  it('rolls both back', async () => {
    const rolledBack = library.transaction(async (tx) => {
      await tx.run(order('1'));
      await createOrThrow(tx, '1');
      throw new RolledBack();
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await host.found()).toEqual(nothing);
  });

  it('goes on after a refusal, which holds no lock', async () => {
    await library.transaction((tx) => createOrThrow(tx, '1'));
    await library.transaction(async (tx) => {
      expect(await createOrThrow(tx, '1')).toEqual(refused(0));
      // of the same tenant, outside the transaction
      const outside = await addition(host.store, '2');
      expect((await host.store.commit(acme, outside))._unsafeUnwrap()).toEqual(committed);
      await tx.run(order('1'));
    });
    expect(await host.found()).toEqual({ rows: ['1'], deals: ['1', '2'] });
  });

  it('is lost after a deadlock, and the other one is whole', async () => {
    await host.pool.query(order('shared'));
    const secondHasRow = createSignal();
    const update = "update orders set id = id where id = 'shared'";
    const first = library.transaction(async (tx) => {
      await createOrThrow(tx, '1');
      await secondHasRow.given;
      await tx.run(update);
      await tx.run(order('1'));
    });
    const second = failureOf(
      library.transaction(async (tx) => {
        await tx.run(update);
        secondHasRow.give();
        await untilWaiting(1);
        // the first has looked for a deadlock, and found none yet
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tx.run(order('2'));
        await createOrThrow(tx, '2');
      }),
    );
    expect(tell(await second)).toEqual({
      after: 'lost',
      code: '40P01',
      outcome: 'none',
      retryable: true,
    });
    await first;
    expect(await host.found()).toEqual({ rows: ['1', 'shared'], deals: ['1'] });
  });

  it.each(['repeatable read', 'serializable'] as const)(
    'is lost after a serialization failure, and is made again, in %s',
    async (level: Level) => {
      let isFirst = true;
      const work = async (tx: HostTransaction) => {
        await tx.run('select id from orders');
        await tx.run(order('1'));
        if (isFirst) {
          isFirst = false;
          const outside = await addition(host.store, '2');
          (await host.store.commit(acme, outside))._unsafeUnwrap();
        }
        await createOrThrow(tx, '1');
      };
      const failure = await failureOf(library.transaction(work, level));
      expect(tell(failure)).toEqual({
        after: 'lost',
        code: '40001',
        outcome: 'none',
        retryable: true,
      });
      expect(await host.found()).toEqual({ rows: [], deals: ['2'] });
      await library.transaction(work, level);
      expect(await host.found()).toEqual({ rows: ['1'], deals: ['1', '2'] });
    },
  );

  it('waits for another one of the tenant no longer than lockTimeout, and goes on', async () => {
    const [isHeld, mayCommit] = [createSignal(), createSignal()];
    const first = library.transaction(async (tx) => {
      await createOrThrow(tx, '1');
      isHeld.give();
      await mayCommit.given;
    });
    await isHeld.given;
    const second = library.transaction(async (tx) => {
      await tx.run(order('2'));
      const answer = await create(tx, '2');
      expect(tell(answer._unsafeUnwrapErr())).toEqual({
        after: library.losesAll ? 'lost' : 'usable',
        code: '55P03',
        outcome: 'none',
        retryable: true,
      });
      mayCommit.give();
      await first;
      if (library.losesAll) throw new RolledBack();
      expect(await createOrThrow(tx, '3')).toEqual(committed);
    });
    if (library.losesAll) {
      await expect(second).rejects.toThrow();
      expect(await host.found()).toEqual({ rows: [], deals: ['1'] });
    } else {
      await second;
      expect(await host.found()).toEqual({ rows: ['2'], deals: ['1', '3'] });
    }
  });

  it('says that a statement of the host has failed before', async () => {
    const failed = library.transaction(async (tx) => {
      await tx.run('select 1 / 0').catch(() => undefined);
      await createOrThrow(tx, '1');
    });
    const failure = await failureOf(failed);
    expect(tell(failure)).toMatchObject({ after: 'lost', code: '25P02', retryable: false });
    expect(Object(failure.cause).message).toMatch(/roll it back/);
    expect(await host.found()).toEqual(nothing);
  });
});

/** postgres.js throws an error that cannot be caught (github.com/porsager/postgres/issues/1208). */
const surviving = Object.entries(libraries).filter(([name]) => !name.endsWith('postgres.js'));

describe.each(surviving)('a connection of %s that is killed before the commit', (_, open) => {
  it('leaves neither the deal nor the row', async () => {
    const library = open(host.server.url);
    let last: ReturnType<typeof create> | undefined;
    const killed = library.transaction(async (tx) => {
      await tx.run(order('1'));
      await createOrThrow(tx, '1');
      await host.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where xact_start is not null and pid <> pg_backend_pid()`);
      last = create(tx, '2');
      (await last)._unsafeUnwrap();
    });
    await expect(killed).rejects.toThrow();
    const failure = (await last)?._unsafeUnwrapErr();
    expect(failure && transactionAfter(failure)).toBe('lost');
    expect(failure?.retryable).toBe(true);
    expect(await host.found()).toEqual(nothing);
    await library.close();
  });
});
