import { exitCodeOf, reporters, VerifyError, type VerifyOptions, verify } from 'dealwright/verify';
import { describe, expect, it } from 'vitest';
import { createInMemory, inMemory } from './in-memory.js';

type Fetch = NonNullable<VerifyOptions['fetch']>;

/** A server that behaves so once it was looked at. */
function later(misbehaves: Fetch): VerifyOptions {
  const good = inMemory();
  let asked = 0;
  return {
    ...good,
    timeout: 40,
    fetch: (input, init) => {
      asked += 1;
      // the document, the categories, the clock and the promises
      return asked <= 4 && good.fetch !== undefined
        ? good.fetch(input, init)
        : misbehaves(input, init);
    },
  };
}

const silent: Fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

const answering =
  (body: BodyInit | null, init?: ResponseInit): Fetch =>
  async () =>
    new Response(body, init);

/** A body that never ends. */
const endless: Fetch = async (_, init) => {
  const body = new ReadableStream({
    start(control) {
      control.enqueue(new TextEncoder().encode('{'));
      init?.signal?.addEventListener('abort', () => control.error(init.signal?.reason));
    },
  });
  return new Response(body);
};

/** A body that goes on and on, as fast as it is read. */
const flooding = (hear: { bytes: number; isCancelled: boolean }): Fetch => {
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  return async () =>
    new Response(
      new ReadableStream({
        pull(control) {
          hear.bytes += piece.length;
          control.enqueue(piece);
        },
        cancel() {
          hear.isCancelled = true;
        },
      }),
    );
};

const bad: readonly (readonly [string, Fetch])[] = [
  ['answers nothing', silent],
  ['is not there', () => Promise.reject(new TypeError('fetch failed'))],
  ['answers garbage', answering('\u0000garbage{')],
  ['answers 500', answering('oops', { status: 500 })],
  ['redirects for ever', answering(null, { status: 308, headers: { location: '/' } })],
  ['never closes', endless],
  ['sends without end', flooding({ bytes: 0, isCancelled: false })],
];

describe('a server that', () => {
  it.each(bad)('%s fails, soon', async (_, fetch) => {
    const begin = performance.now();
    const report = await verify({ ...later(fetch), only: '5.2/auth' });
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBeGreaterThan(report.results.length / 2);
    expect(failed.every(({ failure }) => (failure?.message ?? '') !== '')).toBe(true);
    expect(exitCodeOf(report)).toBe(1);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });

  it.each(bad)('%s from the first is told, or fails', async (_, fetch) => {
    const judged = verify({
      ...inMemory(),
      timeout: 40,
      only: '5.2/auth',
      profiles: ['v2'],
      environment: 'sandbox',
      fetch,
    });
    const report = await judged.catch((error: unknown) => error);
    if (!(report instanceof VerifyError)) expect(exitCodeOf(await judged)).toBe(1);
  });
});

it('reads no more than 4 MiB of an answer, says so, and hangs up', async () => {
  const seen = { bytes: 0, isCancelled: false };
  const report = await verify({ ...later(flooding(seen)), only: '5.2/auth/head', timeout: 5_000 });
  const failed = report.results.filter(({ outcome }) => outcome === 'failed');
  expect(failed.length).toBeGreaterThan(0);
  for (const { failure } of failed) {
    expect(failure?.message).toContain('the answer is longer than 4 MiB');
  }
  expect(seen.isCancelled).toBe(true);
  // one piece more is waiting in the stream
  expect(seen.bytes).toBeLessThanOrEqual(failed.length * (4 * 2 ** 20 + 2 * 64 * 1024));
});

it('says what it lacks to judge a server', async () => {
  const judge = (options: Partial<VerifyOptions>) =>
    verify({ ...inMemory(), ...options }).catch((error: Error) => error.message);
  expect(await judge({ baseUrl: 'ftp://deals.example.com' })).toContain('the base URL');
  expect(await judge({ token: 'unknown' })).toBe('the server refuses the token');
  expect(await judge({ only: '99' })).toBe('no law has an id that begins with 99');
  expect(await judge({ fetch: answering('{}') })).toContain('--profile');
  expect(await judge({ baseline: ['5.2/auth/nothing'] })).toContain('5.2/auth/nothing');
  for (const wrong of [0, -1, Number.NaN]) {
    expect(await judge({ timeout: wrong })).toContain('timeout is a number from 1');
    expect(await judge({ rate: wrong })).toContain('rate is a number from 1');
    expect(await judge({ runs: wrong })).toContain('runs is a number from 1');
  }
});

it('says that a server is silent which answers all but the question for its sandbox', async () => {
  const good = inMemory();
  const judged = verify({
    ...good,
    timeout: 40,
    fetch: (input, init) =>
      String(input).includes('/clock/') || good.fetch === undefined
        ? silent(input, init)
        : good.fetch(input, init),
  });
  await expect(judged).rejects.toThrow(VerifyError);
});

it('judges nothing in production unless it is told to', async () => {
  const production = inMemory({
    apiTokens: [['live', { environment: 'production', partner: 'a' }]],
  });
  const options = { ...production, token: 'live', only: '5.2/auth/missing' };
  await expect(verify(options)).rejects.toThrow('--production');
  const { results } = await verify({ ...options, environment: 'production' });
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
});

it('counts what a server does not promise apart, and never as passed', async () => {
  const options = { ...inMemory(), profiles: ['v2'] as const, only: '5.2/auth/missing' };
  const { results } = await verify(options);
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['not_applicable', 'it does not promise GET /api/1.0/category/'],
    ['passed', undefined],
  ]);
  const nothing = await verify({ ...options, profiles: ['sandbox'] });
  expect(exitCodeOf(nothing)).toBe(3);
});

it('knows failures of a list, and tells those that were mended', async () => {
  const good = inMemory();
  const options: VerifyOptions = {
    ...good,
    only: '5.2/auth',
    baseline: ['5.2/auth/challenge'],
    fetch: async (input, init) => {
      const response = (await good.fetch?.(input, init)) ?? Response.error();
      response.headers.delete('www-authenticate');
      return response;
    },
  };
  const broken = await verify(options);
  expect([exitCodeOf(broken), broken.known, broken.mended]).toEqual([0, options.baseline, []]);
  const mended = await verify({ ...options, ...good });
  expect([exitCodeOf(mended), mended.known, mended.mended]).toEqual([1, [], options.baseline]);
});

it('deletes the webhooks of a case that fails, and shows the request that failed', async () => {
  const good = inMemory();
  const { results, left } = await verify({
    ...good,
    only: '7.2/webhooks/created',
    fetch: async (input, init) => {
      const response = (await good.fetch?.(input, init)) ?? Response.error();
      return response.status === 201 ? new Response(response.body, { status: 202 }) : response;
    },
  });
  const [failed] = results;
  expect(failed?.failure?.curl).toContain('-X POST');
  expect(failed?.failure?.answer).toContain('202');
  expect(left).toEqual({});
  const { options, dealwright } = createInMemory();
  await verify({ ...options, only: '7.2/webhooks' });
  const partner = { environment: 'sandbox', partner: 'acme' } as const;
  const listed = await dealwright.marketplace.partner(partner).listWebhooks();
  expect(listed._unsafeUnwrap()).toEqual([]);
});

describe('a report of a failure', async () => {
  const { fetch: _, ...options } = inMemory();
  const report = await verify({
    ...later(answering('{"token": "sandbox-acme </script>"}', { status: 418 })),
    ...options,
    only: '5.2/auth',
    seed: 7,
  });

  it.each(Object.entries(reporters))('as %s has the law, and no token', (_, form) => {
    const text = form(report);
    expect(text).toContain('5.2/auth/missing');
    expect(text).not.toContain(options.token);
  });

  it('can be repeated by hand', () => {
    const text = reporters.text(report);
    expect(text).toContain("    $ curl -i -X GET 'https://deals.example.com/api/1.0/category/'");
    expect(text).toContain('$TOKEN');
    expect(text).toContain('--seed 7');
    expect(text).toContain('418');
  });

  it('as HTML has no markup of the server, and nothing from elsewhere', () => {
    const html = reporters.html(report);
    expect(html).not.toContain('</script>');
    expect(html).not.toMatch(/<(script|link|img|iframe)\b/);
    expect(html.match(/<details/g)?.length).toBeGreaterThan(0);
  });
});
