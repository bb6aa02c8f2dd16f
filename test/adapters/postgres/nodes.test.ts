import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { expect, it } from 'vitest';
import { registration } from '../../../spec/store/writes.js';
import { allMade, dealOf } from './new-deals.js';

const tenantOf = (partner: string) => ({ environment: 'sandbox', partner }) as const;

/** A cluster whose tenants are on the node of their first letter. */
function createCluster({
  commit = () => undefined,
  isCluster = true,
}: {
  readonly commit?: (tenants: readonly string[]) => unknown;
  readonly isCluster?: boolean;
} = {}) {
  const calls: (readonly string[])[] = [];
  let [asked, reserved] = [0, 0];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      if (text.includes('pg_dist_placement')) {
        asked += 1;
        if (!isCluster) throw Object.assign(new Error('no such table'), { code: '42P01' });
        const tenants: readonly string[] = JSON.parse(String(values[0]));
        return { rows: tenants.map((tenant) => ({ answer: tenant.replace('sandbox:', '')[0] })) };
      }
      if (text.includes('.ids')) {
        reserved += 1;
        return { rows: [{ answer: String(1 + 1_000 * reserved) }] };
      }
      const [, all] = values;
      const isOne = text.includes('.commit_one_');
      const tenants = isOne
        ? [String(values[0])]
        : JSON.parse(String(all).replace(/^\{(.*)\}$/, '[$1]'));
      calls.push(tenants.map((name: string) => name.replace('sandbox:', '')));
      await commit(tenants);
      return { rows: allMade(text) };
    },
  };
  const store = createPostgresStore(db, { gather: { by: 'node' } });
  let last = 0;
  const create = (partner: string) => {
    last += 1;
    return store.commit(tenantOf(partner), dealOf(`deal ${last}`));
  };
  return { store, calls, create, counts: () => ({ asked, reserved }) };
}

it('writes for a node go out in one call', async () => {
  const { calls, create, counts } = createCluster();
  const all = ['b2', 'a1', 'b1', 'a2', 'a1'];
  const made = await Promise.all(all.map(create));
  expect(made.every((each) => each.isOk())).toBe(true);
  expect(calls.map((each) => [...each].sort()).sort()).toEqual([
    ['a1', 'a1', 'a2'],
    ['b1', 'b2'],
  ]);
  await Promise.all(all.map(create));
  expect(calls).toHaveLength(4);
  // all at once, and not again
  expect(counts().asked).toBe(1);
});

it('a server that is no cluster is asked where tenants are once in a second', async () => {
  const { create, calls, counts } = createCluster({ isCluster: false });
  for (const name of ['a1', 'b1', 'a1']) expect((await create(name)).isOk()).toBe(true);
  expect([counts().asked, calls.length]).toEqual([1, 3]);
  await delay(1_100);
  expect((await create('a1')).isOk()).toBe(true);
  expect(counts().asked).toBe(2);
});

it('writes that tenants share, which need all nodes, go out one by one and delay no other', async () => {
  let letIn = () => {};
  const down = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  const { calls, create, store } = createCluster({
    commit: (tenants) => (tenants.includes('sandbox:a3') ? down : undefined),
  });
  const shared = ['one', 'two'].map((name) => store.commit(tenantOf('a3'), registration(name)));
  for (let at = 0; at < 20; at += 1) {
    const made = await Promise.all([create('a1'), create('a2')]);
    expect(made.every((each) => each.isOk())).toBe(true);
  }
  expect(calls).toHaveLength(21);
  letIn();
  const made = await Promise.all(shared);
  expect(made.every((each) => each.isOk())).toBe(true);
  expect(calls.filter(([name]) => name === 'a3')).toEqual([['a3'], ['a3']]);
});

it('a node that is down holds up no other, and no integer is discarded', async () => {
  const down = Object.assign(new Error('connection to the remote node failed'), {
    code: '08006',
    severity: 'ERROR',
  });
  const { create, store, counts } = createCluster({
    commit(tenants) {
      if (tenants.some((name) => name.startsWith('sandbox:a'))) throw down;
    },
  });
  expect((await store.reserve('sandbox', 1)).isOk()).toBe(true);
  const lost = Array.from({ length: 300 }, (_, at) => create(`a${at}`));
  let isOver = false;
  const end = Promise.all(lost).then((answers) => {
    isOver = true;
    return answers;
  });
  for (let at = 0; at < 20; at += 1) expect((await create(`b${at}`)).isOk()).toBe(true);
  expect(isOver).toBe(false);
  expect((await store.reserve('sandbox', 1)).isOk()).toBe(true);
  expect(counts().reserved).toBe(1);
  for (const answer of await end) {
    expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', retryAfter: 1 });
  }
});

it('if the cluster cannot be asked, writes go by tenant', async () => {
  const calls: unknown[] = [];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      if (text.includes('pg_dist_placement'))
        throw Object.assign(new Error('no'), { code: '42883' });
      calls.push(values[0]);
      return { rows: allMade(text) };
    },
  };
  const store = createPostgresStore(db, { gather: { by: 'node' } });
  const made = await Promise.all(
    ['a', 'b', 'a'].map((name, at) => store.commit(tenantOf(name), dealOf(`deal ${at}`))),
  );
  expect(made.every((each) => each.isOk())).toBe(true);
  expect(calls.sort()).toEqual(['sandbox:a', 'sandbox:b']);
});
