import { createClient } from '@redis/client';
import type { KeyValueLike } from 'dealwright/key-value';
import type { Store } from 'dealwright/ports';
import { deliveryContract, hammerStore, storeContract } from 'dealwright/spec';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRedisStore, fromRedis } from '../../../examples/redis-store.js';
import { runGroups } from '../../kit/groups.js';
import { hammer, hammerSeeds } from '../../kit/hammer.js';
import { type Redis, startRedis } from '../../kit/redis.js';

let server: Redis;
const connect = () => createClient({ socket: { path: server.path, tls: false } }).connect();
// two processes, each with its own connection
let one: Awaited<ReturnType<typeof connect>>;
let two: typeof one;

beforeAll(async () => {
  server = await startRedis();
  [one, two] = await Promise.all([connect(), connect()]);
});
afterAll(async () => {
  one?.destroy();
  two?.destroy();
  await server?.stop();
});

const open = (redis: typeof one, name?: string) => ({
  ...createRedisStore(redis, name),
  close: async () => undefined,
});

describe('a store over Redis', () => {
  /** Each write comes from another process than the last one. */
  const makeStore = async () => {
    await one.sendCommand(['FLUSHALL']);
    const [first, second] = [open(one), open(two)];
    let writes = 0;
    const commit: Store['commit'] = (...call) => {
      writes += 1;
      return (writes % 2 === 0 ? first : second).commit(...call);
    };
    return { ...first, commit, reopened: () => open(two), another: () => open(one, 'another') };
  };
  storeContract({ describe, it }, makeStore);
  runGroups([], (runner) => deliveryContract(runner, makeStore));

  it.each(hammerSeeds)(
    'answers a hammer of 64 clients with what it stores: seed %i',
    async (seed) => {
      const report = await hammerStore([open(one), open(two)], hammer(seed, 2000));
      expect(report.committed).toBeGreaterThan(500);
      expect(report.refused).toBeGreaterThan(200);
      expect(report.failed).toBe(0);
    },
  );

  it('is unavailable once its connection is closed', async () => {
    const client = await connect();
    const store = createRedisStore(client);
    client.destroy();
    const failed = (await store.reserve('sandbox', 1))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ code: 'unavailable', outcome: 'none' });
  });
});

describe('a transaction over Redis', () => {
  type Read = (kv: KeyValueLike) => unknown;
  const put = (key: string, value: string) => ({ type: 'put', key, value }) as const;
  const rangeOf =
    (reverse: boolean, limit?: number): Read =>
    async (kv) => {
      const found: string[] = [];
      const range = { gte: 'b', lt: 'd', reverse, ...(limit && { limit }) };
      for await (const value of kv.values(range)) found.push(value);
      return found;
    };
  beforeEach(async () => {
    await one.sendCommand(['FLUSHALL']);
    await fromRedis(one).batch([put('b', '1'), put('b b', '2'), put('d', '4')]);
  });

  /** The answer of a transaction, and how often it ran: while it reads, another one writes. */
  const meet = async (read: Read, ...written: Parameters<KeyValueLike['batch']>[0]) => {
    let runs = 0;
    const answer = await fromRedis(one).transaction(async (within) => {
      runs += 1;
      const found = await read(within);
      if (runs === 1) await fromRedis(two).batch(written);
      return found;
    });
    return { answer, runs };
  };

  it('sees one moment, also if it writes nothing: it runs again if what it read has changed', async () => {
    const get: Read = (kv) => kv.get('b b');
    expect(await meet(get, put('b b', '3'))).toEqual({ answer: '3', runs: 2 });
    expect(await meet(get, { type: 'del', key: 'b b' })).toEqual({ answer: undefined, runs: 2 });
    expect(await meet(rangeOf(false), put('c', '5'))).toEqual({ answer: ['1', '5'], runs: 2 });
    expect(await meet(rangeOf(true, 1), put('c', '6'))).toEqual({ answer: ['6'], runs: 2 });
  });

  it('runs once if only something else has changed', async () => {
    expect(await meet((kv) => kv.get('b'), put('b b', '3'))).toEqual({ answer: '1', runs: 1 });
    expect(await meet(rangeOf(false, 1), put('c', '5'))).toEqual({ answer: ['1'], runs: 1 });
    expect(await meet(rangeOf(true), put('d', '5'))).toEqual({ answer: ['5', '3', '1'], runs: 1 });
  });

  it('fails alone: the next one runs', async () => {
    const kv = fromRedis(one);
    const failed = kv.transaction(() => Promise.reject(new Error('a mistake')));
    const next = kv.transaction(async (within) => within.get('b'));
    await expect(failed).rejects.toThrow('a mistake');
    expect(await next).toBe('1');
  });
});
