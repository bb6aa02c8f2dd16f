import type { Tenant } from 'dealwright';
import { createRateLimiter } from 'dealwright/auth';
import type { Usage } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };

function limited(perSecond: number, burst?: number) {
  const timer = createManualClock();
  const limiter = createRateLimiter({
    timer,
    perSecond,
    ...(burst === undefined ? {} : { burst }),
  });
  const take = async (tenant = acme) => (await limiter.take(tenant, 'createDeal'))._unsafeUnwrap();
  return { timer, take };
}

test('a burst passes, and then what comes back each second', async () => {
  const { timer, take } = limited(2, 3);
  const taken = async (times: number) => {
    const all = [];
    for (let time = 0; time < times; time += 1) all.push((await take()).allowed);
    return all;
  };
  expect(await taken(4)).toEqual([true, true, true, false]);
  timer.advance(500);
  expect(await taken(2)).toEqual([true, false]);
  timer.advance(60_000);
  expect(await taken(4)).toEqual([true, true, true, false]);
});

test('the burst is one second of requests unless it is said', async () => {
  const { take } = limited(1.5);
  expect([await take(), await take(), await take()].map(({ allowed }) => allowed)).toEqual([
    true,
    true,
    false,
  ]);
});

test('one partner does not take from another, nor an environment from the other', async () => {
  const { take } = limited(1, 1);
  expect((await take()).allowed).toBe(true);
  expect((await take()).allowed).toBe(false);
  expect((await take({ ...acme, partner: 'globex' })).allowed).toBe(true);
  expect((await take({ ...acme, environment: 'production' })).allowed).toBe(true);
});

test('no more than burst + rate * time ever passes, and waiting as told is enough', async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 60 });
  const rates = fc.double({ min: 0.1, max: 20, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      rates,
      fc.integer({ min: 1, max: 10 }),
      steps,
      async (perSecond, burst, waits) => {
        const { timer, take } = limited(perSecond, burst);
        let [passed, elapsed] = [0, 0];
        for (const wait of waits) {
          timer.advance(wait);
          elapsed += wait;
          const taken = await take();
          if (taken.allowed) passed += 1;
          else {
            timer.advance(taken.retryAfter * 1000);
            elapsed += taken.retryAfter * 1000;
            expect((await take()).allowed).toBe(true);
            passed += 1;
          }
          expect(passed).toBeLessThanOrEqual(burst + (perSecond * elapsed) / 1000 + 1e-6);
        }
      },
    ),
  );
});

test('a clock that is set back gives nothing, and harms no caller', async () => {
  const { timer, take } = limited(1, 1);
  await take();
  timer.advance(-10_000);
  expect((await take()).allowed).toBe(false);
  timer.advance(1000);
  expect((await take()).allowed).toBe(true);
});

test.each([
  { perSecond: 0 },
  { perSecond: Number.NaN },
  { perSecond: Number.POSITIVE_INFINITY },
  { perSecond: 1, burst: 0 },
])('%o is a mistake in the wiring', (wrong) => {
  const timer = createManualClock();
  expect(() => createRateLimiter({ timer, ...wrong })).toThrow(TypeError);
});

test.each([undefined, {}, { perSecond: 5 }, { perSecond: 5, timer: {} }])(
  'without a clock, as in %j, there is no limiter',
  (options) => {
    expect(() => createRateLimiter(options as never)).toThrow(
      /^createRateLimiter: timer.now is a function/,
    );
  },
);

test('an address is one customer of a network, however it is written', async () => {
  const timer = createManualClock();
  const failedTokens = { perSecond: 1, burst: 1 };
  const alike = [
    ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1:4711', '::ffff:c000:201'],
    ['2001:db8::1', '2001:0db8:0:0:ffff::2', '[2001:db8::3]:443', '2001:db8::4%eth0'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::'],
    ['unknown', 'unknown'],
  ];
  const limiter = createRateLimiter({ timer, perSecond: 1, failedTokens });
  for (const texts of alike) {
    const allowed = [];
    for (const key of texts) {
      const answer = await limiter.takeOther?.({ kind: 'failed_token', key });
      allowed.push(answer?._unsafeUnwrap().allowed);
    }
    expect([texts, allowed]).toEqual([texts, texts.map((_, at) => at === 0)]);
  }
});

test('no flood of addresses fills the memory', async () => {
  const timer = createManualClock();
  const failedTokens = { perSecond: 1e-6, burst: 1 };
  const limiter = createRateLimiter({ timer, perSecond: 1, failedTokens });
  const take = async (at: number) => {
    const key = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    return (await limiter.takeOther?.({ kind: 'failed_token', key }))?._unsafeUnwrap().allowed;
  };
  for (let at = 0; at < 100_001; at += 1) await take(at);
  // only the oldest of them was forgotten
  expect(await take(1)).toBe(false);
  expect(await take(0)).toBe(true);
});

test.each(['offers', 'failedTokens'])('%s is a rate', (name) => {
  const timer = createManualClock();
  for (const rate of [{}, { perSecond: 0 }, { perSecond: 1, burst: 0 }, { perSecond: Infinity }]) {
    expect(() => createRateLimiter({ timer, perSecond: 1, [name]: rate })).toThrow(TypeError);
  }
});

test('a request that needs much counts as several, and its caller waits until it has paid', async () => {
  const timer = createManualClock();
  const rate = { perSecond: 2, burst: 3 };
  const limiter = createRateLimiter({ timer, ...rate, offers: rate });
  const offer = { kind: 'offer', key: 'digest' } as const;
  const callers = [
    {
      take: async () => (await limiter.take(acme, 'listTerms'))._unsafeUnwrap(),
      spend: (usage: Usage) => limiter.spend?.(acme, usage),
    },
    {
      take: async () => (await limiter.takeOther?.(offer))?._unsafeUnwrap(),
      spend: (usage: Usage) => limiter.spendOther?.(offer, usage),
    },
  ];
  for (const { take, spend } of callers) {
    expect(await take()).toEqual({ allowed: true });
    expect(await take()).toEqual({ allowed: true });
    // each has paid for so much, whichever needs it
    spend({ of: 'json', size: 18_000 });
    for (let read = 0; read < 4; read += 1) spend({ of: 'records', size: 3_000 });
    expect(await take()).toEqual({ allowed: true });
    // a little more than three, of which it has paid for one: a quarter of the rest counts as one
    spend({ of: 'records', size: 2 * 16_384 });
    spend({ of: 'json', size: 16_384 });
    expect(await take()).toEqual({ allowed: false, retryAfter: 5 });
    timer.advance(4_500);
    expect(await take()).toEqual({ allowed: false, retryAfter: 1 });
    timer.advance(500);
    expect(await take()).toEqual({ allowed: true });
    expect(await take()).toEqual({ allowed: false, retryAfter: 1 });
    // a file counts piece by piece: two, of which the request has paid for one
    for (let piece = 0; piece < 8; piece += 1) spend({ of: 'file', size: 65_536 });
    timer.advance(500);
    expect(await take()).toEqual({ allowed: false, retryAfter: 1 });
    timer.advance(500);
    expect(await take()).toEqual({ allowed: true });
    timer.advance(60_000);
  }
});

test('what requests have paid for and not needed helps later ones, but not without end', async () => {
  const timer = createManualClock();
  const limiter = createRateLimiter({ timer, perSecond: 1, burst: 100 });
  const take = async () => (await limiter.take(acme, 'x'))._unsafeUnwrap().allowed;
  for (let at = 0; at < 100; at += 1) expect(await take()).toBe(true);
  // a quarter more than 64, which are paid for
  for (let at = 0; at < 510; at += 1) limiter.spend?.(acme, { of: 'json', size: 2_048 });
  timer.advance(1_000);
  expect(await take()).toBe(false);
  timer.advance(1_000);
  expect(await take()).toBe(true);
});

test('other sizes may count as a request, or none', async () => {
  const timer = createManualClock();
  const rate = { timer, perSecond: 1, burst: 2 };
  const none = Number.POSITIVE_INFINITY;
  const ways = [
    [{ bytesPerRequest: 100, fileBytesPerRequest: none }, 'json', 200, false],
    [{ bytesPerRequest: 100, fileBytesPerRequest: none }, 'file', 2 ** 30, true],
    [{ bytesPerRequest: none, fileBytesPerRequest: 100 }, 'records', 2 ** 30, true],
    [{ bytesPerRequest: none, fileBytesPerRequest: 100 }, 'file', 200, false],
  ] as const;
  for (const [sizes, of, size, isAllowed] of ways) {
    const limiter = createRateLimiter({ ...rate, ...sizes });
    expect((await limiter.take(acme, 'x'))._unsafeUnwrap().allowed).toBe(true);
    limiter.spend?.(acme, { of, size });
    expect((await limiter.take(acme, 'x'))._unsafeUnwrap().allowed).toBe(isAllowed);
  }
  for (const wrong of [{ bytesPerRequest: 0 }, { fileBytesPerRequest: Number.NaN }]) {
    expect(() => createRateLimiter({ ...rate, ...wrong })).toThrow(
      'bytesPerRequest and fileBytesPerRequest are above 0',
    );
  }
});
