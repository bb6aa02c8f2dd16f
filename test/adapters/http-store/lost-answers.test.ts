import { createMemoryStore } from 'dealwright/memory';
import type { WriteSet } from 'dealwright/ports';
import { hammerStore } from 'dealwright/spec';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { hammer, hammerSeeds } from '../../kit/hammer.js';
import { createPair, secret } from './pair.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;

function writeOf(key: string, at: number): WriteSet {
  const attempt = `01KDVE${String(at).padStart(20, '0')}`;
  return {
    attempt,
    expect: [{ absent: 'answer', key }],
    insert: [
      {
        kind: 'answer',
        row: { answer_key: key, fingerprint: attempt, answer: '{}', ends_at: null },
      },
    ],
    change: [],
    events: [],
  };
}

/** Two clients of one service, which carries out all calls; answers to the second get lost. */
function createClients() {
  const service = createPair(createMemoryStore());
  let turn = 0;
  const losing: typeof fetch = async (...request) => {
    const response = await service.send(...request);
    turn += 1;
    if (turn % 5 === 0) throw new Error(`ECONNRESET with ${secret}`);
    if (turn % 7 === 0) return new Response((await response.text()).slice(0, 5), response);
    return turn % 11 === 0 ? new Response('<html>', { status: 502 }) : response;
  };
  const lossy = createPair(createMemoryStore(), { client: { fetch: losing } });
  const close = async () => undefined;
  return [service.store, lossy.store].map((store) => ({ ...store, close }));
}

describe('a store over HTTP whose answers get lost', () => {
  it.each(hammerSeeds)(
    'answers a hammer of 64 clients with what it stores: seed %i',
    async (seed) => {
      const report = await hammerStore(createClients(), hammer(seed, 2000));
      expect(report.committed).toBeGreaterThan(400);
      expect(report.refused).toBeGreaterThan(200);
      expect(report.sentAgain).toBeGreaterThan(120);
      expect(report.failed).toBe(0);
    },
  );

  it('gives no integer to two, and mostly without asking', async () => {
    const service = createPair(createMemoryStore());
    const reserving = Array.from({ length: 500 }, (_, at) =>
      service.store.reserve('sandbox', 1 + (at % 3)),
    );
    const numbers = (await Promise.all(reserving)).flatMap((answered, at) => {
      const first = answered._unsafeUnwrap();
      return Array.from({ length: 1 + (at % 3) }, (_, each) => first + each);
    });
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(service.asked.length).toBeLessThan(15);
    expect((await service.store.reserve('production', 1))._unsafeUnwrap()).toBe(1);
  });

  it('uses the integers that are left if there is no whole block', async () => {
    const memory = createMemoryStore();
    const { store } = createPair(memory);
    await memory.reserve('sandbox', Number.MAX_SAFE_INTEGER - 3);
    expect((await store.reserve('sandbox', 2))._unsafeUnwrap()).toBe(Number.MAX_SAFE_INTEGER - 2);
    const failed = (await store.reserve('sandbox', 2))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ outcome: 'none', retryable: false });
  });
});

describe('a client of a store over HTTP', () => {
  const never: typeof fetch = () => new Promise(() => undefined);

  it('ends a call when its time is over, though fetch does not listen', async () => {
    const timer = createManualClock();
    const { store } = createPair(createMemoryStore(), {
      client: { fetch: never, timer, timeout: 50 },
    });
    const asked = [store.commit(acme, writeOf('k', 1)), store.tenants(undefined, 1)];
    timer.advance(49);
    expect(timer.sleepers()).toBe(2);
    timer.advance(1);
    const failures = (await Promise.all(asked)).map((each) => each._unsafeUnwrapErr());
    expect(failures.map(({ outcome }) => outcome)).toEqual(['unknown', 'none']);
    expect(String(failures[0]?.cause)).toBe('Error: no answer within 50 ms');
  });

  it('leaves no timer', async () => {
    const timer = createManualClock();
    const { store } = createPair(createMemoryStore(), { client: { timer } });
    await store.tenants(undefined, 1);
    expect(timer.sleepers()).toBe(0);
  });

  it('answers in time if the store of the service does not', async () => {
    const timer = createManualClock();
    const memory = { ...createMemoryStore(), tenants: () => new Promise<never>(() => undefined) };
    const { store } = createPair(memory, { timer, deadline: 50 });
    const asked = store.tenants(undefined, 1);
    while (timer.sleepers() === 0) await new Promise((turn) => setImmediate(turn));
    timer.advance(50);
    expect((await asked)._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: true });
  });

  const answers: Readonly<Record<string, () => Response>> = {
    'is too large': () => Response.json({ ok: ['x'.repeat(2000)] }),
    'is not JSON': () => new Response('ok'),
    'has no body': () => new Response(null, { status: 204 }),
    'is a redirect': () =>
      new Response(null, { status: 307, headers: { location: 'http://evil.test' } }),
    'is of a proxy': () => Response.json({ message: secret }, { status: 502 }),
    'is of another kind': () => Response.json({ ok: { outcome: 'done' } }),
    'refuses in other words': () => Response.json({ code: 'toString' }, { status: 400 }),
    'fails in other words': () =>
      Response.json({ unavailable: { outcome: 'maybe' } }, { status: 503 }),
  };

  it.each(Object.entries(answers))('does not believe an answer that %s', async (_, make) => {
    const fetch: typeof globalThis.fetch = async () => make();
    const { store } = createPair(createMemoryStore(), { client: { fetch, answerLimit: 1000 } });
    const written = (await store.commit(acme, writeOf('k', 1)))._unsafeUnwrapErr();
    const read = (await store.tenants(undefined, 1))._unsafeUnwrapErr();
    expect([written.outcome, read.outcome]).toEqual(['unknown', 'none']);
    expect(`${written.cause} ${read.cause}`).not.toContain(secret);
  });

  it('says what to do if it is refused, and that nothing has happened', async () => {
    const other = { client: { secret: 'secret-of-somebody-else' } };
    const { store } = createPair(createMemoryStore(), other);
    const failed = (await store.commit(acme, writeOf('k', 1)))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ outcome: 'none', retryable: false });
    expect(String(failed.cause)).toBe('Error: the secret is not the one of the service');
  });

  it('passes no secret on that a fetch throws', async () => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error(secret));
    const { store } = createPair(createMemoryStore(), { client: { fetch } });
    const failed = (await store.tenants(undefined, 1))._unsafeUnwrapErr();
    expect([String(failed.cause), JSON.stringify(failed)].join()).not.toContain(secret);
  });
});
