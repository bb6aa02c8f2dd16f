import {
  type ClientOptions,
  createClient,
  type DealwrightClient,
  type FetchLike,
} from 'dealwright/client';
import type { Timer } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { deal } from '../../kit/requests.js';
import { token } from './service.js';

const baseUrl = 'https://deals.example.com';

/** A signal that counts its listeners. */
function createSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const counted = new Proxy(signal, {
    get(target, name) {
      if (name === 'addEventListener' || name === 'removeEventListener') {
        return (...args: Parameters<AbortSignal['addEventListener']>) => {
          listeners += name === 'addEventListener' ? 1 : -1;
          target[name](...args);
        };
      }
      return Reflect.get(target, name, target);
    },
  });
  return { signal: counted, abort: () => controller.abort(), listeners: () => listeners };
}

const calls: Readonly<
  Record<'read' | 'write' | 'upload', (api: DealwrightClient, signal: AbortSignal) => unknown>
> = {
  read: (api, signal) => api.retrieveDealDetails('a', { signal }),
  write: (api, signal) => api.createDeal(deal, { signal }),
  upload: (api, signal) => api.uploadFile({ id: 1 }, { name: 'a', content: endless() }, { signal }),
};

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(1000);
}

const errorOf = async (result: unknown) =>
  ((await result) as Awaited<ReturnType<DealwrightClient['createDeal']>>)._unsafeUnwrapErr();

/** A promise, and the function that resolves it. */
function createMoment() {
  let come = () => {};
  const hasCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { come, hasCome };
}

function clientWith(fetch: FetchLike, options: Partial<ClientOptions> = {}): DealwrightClient {
  return createClient({ baseUrl, token, fetch, ...options });
}

for (const [kind, call] of Object.entries(calls)) {
  describe(`an aborted ${kind}`, () => {
    const unknown = kind === 'read' ? 'none' : 'unknown';

    it('before it is sent has no effect', async () => {
      let requests = 0;
      const api = clientWith(async () => {
        requests += 1;
        return new Response('{}');
      });
      const { signal, abort, listeners } = createSignal();
      abort();
      expect(await errorOf(call(api, signal))).toMatchObject({ code: 'aborted', outcome: 'none' });
      expect([requests, listeners()]).toEqual([0, 0]);
    });

    it('in the turn in which it is made has no effect', async () => {
      let requests = 0;
      const api = clientWith(async () => {
        requests += 1;
        return new Response('{}');
      });
      const { signal, abort } = createSignal();
      const result = call(api, signal);
      abort();
      expect(await errorOf(result)).toMatchObject({ code: 'aborted', outcome: 'none' });
      expect(requests).toBe(0);
    });

    const fetches: Readonly<Record<string, (stop: AbortSignal) => Promise<Response>>> = {
      'listens to the signal': (stop) =>
        new Promise((_, reject) => {
          stop.addEventListener('abort', () => reject(stop.reason));
        }),
      'does not listen': () => new Promise(() => undefined),
      'never ends its answer': async () => new Response(new ReadableStream()),
    };
    for (const [name, answer] of Object.entries(fetches)) {
      it(`while it is answered by a fetch that ${name} stops at once`, async () => {
        let requests = 0;
        let inner: AbortSignal | undefined;
        const asked = createMoment();
        const api = clientWith((_, request) => {
          requests += 1;
          inner = request.signal;
          asked.come();
          return answer(request.signal);
        });
        const { signal, abort, listeners } = createSignal();
        const result = call(api, signal);
        await asked.hasCome;
        expect([requests, listeners()]).toEqual([1, 1]);
        abort();
        const error = await errorOf(result);
        expect(error).toMatchObject({ code: 'aborted', outcome: unknown });
        expect(Object.isFrozen(error)).toBe(true);
        expect([requests, listeners()]).toEqual([1, 0]);
        expect(inner?.aborted).toBe(true);
      });
    }

    for (const [name, answer, outcome] of [
      ['in doubt', async () => new Response('', { status: 503 }), unknown],
      ['without effect', async () => new Response('{"outcome":"none"}', { status: 503 }), 'none'],
    ] as const) {
      it(`in the pause after an attempt ${name} stops at once`, async () => {
        const manual = createManualClock();
        const pause = createMoment();
        const timer: Timer = {
          now: manual.now,
          sleep(milliseconds, wake) {
            if (milliseconds === 500) pause.come();
            return manual.sleep(milliseconds, wake);
          },
        };
        let requests = 0;
        const options = { timer, retryBase: 1_000, random: () => 0.5 };
        const api = clientWith(() => {
          requests += 1;
          return answer();
        }, options);
        const { signal, abort, listeners } = createSignal();
        const result = call(api, signal);
        await pause.hasCome;
        expect([requests, manual.sleepers()]).toEqual([1, 1]);
        abort();
        expect(await errorOf(result)).toMatchObject({ code: 'aborted', outcome });
        expect([requests, manual.sleepers(), listeners()]).toEqual([1, 0, 0]);
      });
    }
  });
}

it('a call that is answered leaves no listener and no timer', async () => {
  const timer = createManualClock();
  const { signal, listeners, abort } = createSignal();
  const data = { id: 1, stage_ids: [1] };
  const api = clientWith(async () => new Response(JSON.stringify({ data }), { status: 201 }), {
    timer,
  });
  expect((await api.createDeal(deal, { signal })).isOk()).toBe(true);
  expect([listeners(), timer.sleepers()]).toEqual([0, 0]);
  abort();
  expect(await errorOf(api.createDeal(deal, { signal }))).toMatchObject({ outcome: 'none' });
});

it('a call stops reading its file when it is aborted', async () => {
  const released = createMoment();
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      yield* endless();
    } finally {
      released.come();
    }
  }
  const controller = new AbortController();
  const api = clientWith(async (_, request) => {
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    request.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
    while (!(await reader.read()).done);
    return new Promise(() => undefined);
  });
  const upload = { name: 'a', content: content() };
  const onProgress = ({ sent }: { sent: number }) => {
    if (sent > 3000) controller.abort();
  };
  const result = api.uploadFile({ id: 1 }, upload, { signal: controller.signal, onProgress });
  expect(await errorOf(result)).toMatchObject({ code: 'aborted', outcome: 'unknown' });
  await released.hasCome;
});

describe('the reason of a signal', () => {
  const silent: FetchLike = () => new Promise(() => undefined);
  const reasons: readonly (readonly [string, () => unknown, string | undefined])[] = [
    ['of its own', () => undefined, 'AbortError: This operation was aborted'],
    ['that is text', () => 'the user left', 'the user left'],
    ['that is an error', () => new RangeError('no room'), 'RangeError: no room'],
    ['that is no text', () => null, 'null'],
    ['with the token in it', () => new Error(`not with ${token}`), undefined],
    ['that has no words', () => Object.create(null), undefined],
  ];
  for (const [name, make, cause] of reasons) {
    it(`${name} is the cause, in words, whenever it comes`, async () => {
      const signals = [AbortSignal.abort(make()), AbortSignal.any([AbortSignal.abort(make())])].map(
        (signal) => clientWith(silent).createDeal(deal, { signal }),
      );
      const controller = new AbortController();
      const asked = createMoment();
      const late = clientWith((...args) => {
        asked.come();
        return silent(...args);
      }).createDeal(deal, { signal: controller.signal });
      await asked.hasCome;
      controller.abort(make());
      for (const result of [...signals, late]) {
        const error = await errorOf(result);
        expect(error.code).toBe('aborted');
        expect(error).toEqual({
          code: 'aborted',
          message: expect.any(String),
          outcome: result === late ? 'unknown' : 'none',
          ...(cause === undefined ? {} : { cause }),
        });
        expect(JSON.stringify(error)).not.toContain(token);
      }
    });
  }

  it('of a time-out says so', async () => {
    const result = clientWith(silent).listCategories({ signal: AbortSignal.timeout(1) });
    expect(await errorOf(result)).toMatchObject({
      cause: expect.stringMatching(/^TimeoutError: /),
    });
  });
});
