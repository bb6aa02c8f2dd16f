import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import type { Timer } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deal } from '../../kit/requests.js';
import { type Answer, broken, created, scripted, status } from './scripted.js';
import { once, operations, token, writes } from './service.js';

const refused: Answer = () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
};

describe('what is sent again', () => {
  const answers: readonly (readonly [string, Answer, 'passing' | 'in doubt' | 'final'])[] = [
    ['a broken connection', broken, 'in doubt'],
    ['a refused connection', refused, 'passing'],
    ['429', status(429), 'passing'],
    ['502', status(502), 'in doubt'],
    ['503', status(503), 'in doubt'],
    ['503 without effect', status(503, {}, { outcome: 'none' }), 'passing'],
    ['504', status(504), 'in doubt'],
    ...[200, 201, 202, 301, 307, 400, 401, 403, 404, 408, 409, 413, 415, 422, 500, 501, 505].map(
      (code) => [String(code), status(code), 'final'] as const,
    ),
  ];
  const keys = { 'a key': [{ idempotencyKey: 'k' }, true], 'no key': [{}, false] } as const;
  for (const [answer, make, kind] of answers) {
    for (const [name, call] of Object.entries(operations)) {
      const isWrite = writes.includes(name);
      for (const [withKey, [options, makeKeys]] of Object.entries(keys)) {
        const isRepeatable = isWrite ? withKey === 'a key' : !once.includes(name);
        const isSafe = kind === 'passing' || isRepeatable;
        const expected = kind !== 'final' && isSafe ? 4 : 1;
        it(`${name} with ${withKey} after ${answer}: ${expected} attempts`, async () => {
          const { api, requests, pauses } = scripted([make], { attempts: 4, makeKeys });
          const result = await call(api, options);
          expect(result.isErr()).toBe(true);
          expect(requests).toHaveLength(expected);
          expect(pauses).toHaveLength(expected - 1);
          const sent = requests.map(({ headers }) => headers['Idempotency-Key']);
          const key = isWrite && withKey === 'a key' ? 'k' : undefined;
          expect(sent).toEqual(requests.map(() => key));
        });
      }
    }
  }

  it('is nothing with 0 or 1 attempts', async () => {
    for (const attempts of [0, 1]) {
      const { api, requests } = scripted([status(503)], { attempts });
      await api.listCategories();
      expect(requests).toHaveLength(1);
    }
  });

  it('carries a key of the client, one for all attempts and another for each call', async () => {
    const { api, requests } = scripted([broken]);
    await api.createDeal(deal);
    await api.createDeal(deal);
    const keys = requests.map(({ headers }) => headers['Idempotency-Key'] ?? '');
    expect(keys).toHaveLength(6);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^\d+-\d+-\d+-\d+$/);
  });

  it('is the same request, and its answer is the answer', async () => {
    const { api, requests } = scripted([broken, status(503), created]);
    expect((await api.createDeal(deal))._unsafeUnwrap()).toEqual({ id: 1, stage_ids: [1] });
    const plain = requests.map(({ signal: _, ...request }) => request);
    expect(plain).toEqual([plain[0], plain[0], plain[0]]);
  });

  it('is a time-out, on the clock that was given', async () => {
    let attempts = 0;
    const timer: Timer = {
      now: () => 0,
      sleep(_, wake) {
        const timer = setTimeout(wake, 1);
        return () => clearTimeout(timer);
      },
    };
    const api = createClient({
      baseUrl: 'https://deals.example.com',
      token,
      timer,
      fetch() {
        attempts += 1;
        return new Promise(() => undefined);
      },
    });
    const error = (await api.createDeal(deal))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    expect(attempts).toBe(3);
  });
});

describe('a pause', () => {
  it('is drawn from 0 to the doubled base, and no more than the cap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          attempts: fc.integer({ min: 2, max: 40 }),
          retryBase: fc.integer({ min: 0, max: 60_000 }),
          retryCap: fc.integer({ min: 0, max: 60_000 }),
        }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        async (options, draws) => {
          const drawn: number[] = [];
          const random = () => {
            const next = draws.next();
            drawn.push(next.value);
            return next.value;
          };
          const { api, pauses } = scripted([status(503)], { ...options, random });
          await api.listCategories();
          expect(pauses).toHaveLength(options.attempts - 1);
          pauses.forEach((pause, n) => {
            const most = Math.min(options.retryCap, options.retryBase * 2 ** n);
            expect(pause).toBeGreaterThanOrEqual(0);
            expect(pause).toBeLessThanOrEqual(most);
            expect(pause).toBe((drawn[n] ?? Number.NaN) * most);
          });
        },
      ),
    );
  });

  it('is at least what Retry-After says, in seconds or as a date', async () => {
    const date = new Date(7_000).toUTCString();
    const { api, pauses } = scripted([
      status(429, { 'Retry-After': '5' }),
      status(503, { 'Retry-After': date }),
      created,
    ]);
    expect((await api.createDeal(deal)).isOk()).toBe(true);
    const [first = 0, second = 0] = pauses;
    expect(first).toBeGreaterThanOrEqual(5_000);
    expect(first).toBeLessThan(5_200);
    expect(second).toBeGreaterThanOrEqual(7_000);
    expect(second).toBeLessThan(7_400);
  });

  it('that the service wants longer than is allowed ends the call, and is told', async () => {
    const late = status(429, { 'Retry-After': '31' });
    const { api, requests } = scripted([late]);
    const error = (await api.listCategories())._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 31 });
    expect(requests).toHaveLength(1);
    const patient = scripted([late], { maxRetryAfter: 31 });
    await patient.api.listCategories();
    expect(patient.requests).toHaveLength(3);
  });
});

describe('after an attempt that was not answered', () => {
  const conflicts = {
    registerContractor: 'contractor_exists',
    createDeal: 'deal_exists',
    createDealV2: 'deal_exists',
  } as const;
  for (const [name, code] of Object.entries(conflicts)) {
    const call = operations[name as keyof typeof conflicts];
    it(`${code} of ${name} says so`, async () => {
      for (const lost of [broken, status(502)]) {
        const { api } = scripted([lost, status(409)]);
        expect((await call(api, {}))._unsafeUnwrapErr()).toMatchObject({ code, afterRetry: true });
      }
      for (const nothing of [
        [],
        [refused],
        [status(429)],
        [status(503, {}, { outcome: 'none' })],
      ]) {
        const { api } = scripted([...nothing, status(409)]);
        const error = (await call(api, {}))._unsafeUnwrapErr();
        expect(error.code).toBe(code);
        expect(error).not.toHaveProperty('afterRetry');
      }
    });
  }

  const issue = { path: ['name'], code: 'too_short', message: 'm', params: {} };
  const finals: readonly (readonly [string, Answer])[] = [
    ...[202, 302, 307, 400, 401, 403, 404, 409, 413, 415, 422].map(
      (code) => [String(code), status(code)] as const,
    ),
    ['400 with issues', status(400, {}, { code: 'validation_failed', errors: [issue] })],
    ['400 of a key', status(400, {}, { code: 'invalid_idempotency_key' })],
    ['201 of another shape', status(201)],
  ];
  for (const [name, call] of Object.entries(operations)) {
    if (once.includes(name)) continue;
    // a second delete has no further effect, but its answer may differ from the first
    const isWrite = writes.includes(name) || name === 'deleteWebhook';
    for (const [answer, final] of finals) {
      it(`${answer} of ${name} ${isWrite ? 'keeps the doubt' : 'is in no doubt'}`, async () => {
        const [alone] = [await call(scripted([final]).api, { idempotencyKey: 'k' })];
        expect(alone._unsafeUnwrapErr()).not.toHaveProperty('afterRetry');
        for (const [lost, isLost] of [
          [[broken], true],
          [[status(502)], true],
          [[broken, refused], true],
          [[refused], false],
          [[status(429)], false],
          [[status(503, {}, { outcome: 'none' })], false],
        ] as const) {
          const { api } = scripted([...lost, final]);
          const error = (await call(api, { idempotencyKey: 'k' }))._unsafeUnwrapErr();
          const doubt = isWrite && isLost ? { afterRetry: true } : {};
          expect(error).toEqual({ ...alone._unsafeUnwrapErr(), ...doubt });
          expect(Object.isFrozen(error)).toBe(true);
        }
      });
    }
  }

  it('a file that cannot be read any more keeps the doubt', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-retries-'));
    try {
      const path = join(folder, 'file');
      writeFileSync(path, 'Once');
      const blob = await openAsBlob(path);
      const api = createClient({
        baseUrl: 'https://deals.example.com',
        token,
        retryBase: 0,
        async fetch(_, request) {
          const body = await new Response(request.body as BodyInit).text();
          expect(body).toContain('Once');
          // the file changes after it was sent, and before the answer
          writeFileSync(path, 'Once more');
          throw new TypeError('fetch failed');
        },
      });
      const upload = { name: 'a', content: blob };
      const result = await api.uploadFile({ id: 1 }, upload, { onProgress: () => undefined });
      expect(result._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: ['content'], code: 'unreadable' }],
        afterRetry: true,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('what follows does not make its outcome known', async () => {
    const last: readonly Answer[] = [
      refused,
      status(429, { 'Retry-After': '9' }),
      status(500, {}, { outcome: 'none' }),
      status(503, {}, { outcome: 'none' }),
    ];
    for (const answer of last) {
      const { api } = scripted([broken, answer]);
      const error = (await api.createDeal(deal))._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
      expect(Object.isFrozen(error)).toBe(true);
      const read = (await scripted([broken, answer]).api.listCategories())._unsafeUnwrapErr();
      expect(read).not.toMatchObject({ outcome: 'unknown' });
    }
  });
});
