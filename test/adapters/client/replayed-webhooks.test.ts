import { createReplayMemory, verifyWebhook } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bodies,
  ids,
  message,
  now,
  other,
  secret,
  signed,
  signedBody,
  times,
  verdict,
} from './signed-messages.js';

describe('a replay', () => {
  it('is refused, and a retry is not', async () => {
    await fc.assert(
      fc.asyncProperty(ids, times, bodies, async (id, age, body) => {
        const replays = createReplayMemory();
        const first = message({ id, timestamp: now() + age, body });
        const retry = { ...first, timestamp: first.timestamp + 5 };
        expect(await verdict(signedBody(first), secret, { replays })).toBe('ok');
        expect(await verdict(signedBody(retry), secret, { replays })).toBe('ok');
        for (const again of [first, retry]) {
          const code = await verdict(signedBody(again), secret, { replays });
          expect(code).toBe('webhook_replayed');
        }
      }),
    );
  });

  it('is refused with one of its signatures, with more of them, and with other secrets known', async () => {
    const both = signedBody(message(), [secret, other]);
    const [first = '', second = ''] = both.headers['webhook-signature'].split(' ');
    const signatures = [first, second, `${second} ${first}`, `v1,x ${first},y`];
    for (const known of [[secret, other], [other, secret], [other]]) {
      const replays = createReplayMemory();
      expect(await verdict(both, known, { replays })).toBe('ok');
      for (const signature of signatures) {
        const headers = { ...both.headers, 'webhook-signature': signature };
        const again = await verdict({ headers, body: both.body }, [secret, other], { replays });
        expect(again).toBe('webhook_replayed');
      }
    }
  });

  it('is not a message that is verified by the same secret twice', async () => {
    const replays = createReplayMemory();
    const request = signedBody(message());
    expect(await verdict(request, [secret, secret], { replays })).toBe('ok');
    expect(await verdict(request, secret, { replays })).toBe('webhook_replayed');
  });

  it('is another message if it is signed for another webhook', async () => {
    const replays = createReplayMemory();
    const one = message();
    expect(await verdict(signedBody(one), secret, { replays })).toBe('ok');
    expect(await verdict(signedBody(one, [other]), other, { replays })).toBe('ok');
  });

  it('leaves no trace if the signature is wrong', async () => {
    const asked: [string, number][] = [];
    const replays = {
      async isFirst(key: string, until: number) {
        asked.push([key, until]);
        return true;
      },
    };
    const one = message();
    expect(await verdict(signedBody(one, [other]), secret, { replays })).not.toBe('ok');
    expect(asked).toEqual([]);
    expect(await verdict(signedBody(one), secret, { replays })).toBe('ok');
    expect(asked).toEqual([[signed(one)['webhook-signature'], one.timestamp + 300]]);
  });

  it('cannot be checked if the memory fails', async () => {
    const broken = [
      () => Promise.reject(new Error('down')),
      () => {
        throw new Error('down');
      },
    ];
    for (const isFirst of broken) {
      const options = { replays: { isFirst } };
      const verified = await verifyWebhook(signedBody(message()), secret, options);
      expect(verified._unsafeUnwrapErr()).toMatchObject({
        code: 'webhook_replays_unavailable',
        status: 503,
      });
    }
  });
});

describe('the memory of replays', () => {
  it('forgets what is too old, and else no more than it must', () => {
    const isFirst = (memory: ReturnType<typeof createReplayMemory>, key: string, age: number) =>
      memory.isFirst(key, now() + age);
    const small = createReplayMemory({ size: 2 });
    expect(['a', 'b', 'a', 'b'].map((key) => isFirst(small, key, 300))).toEqual([
      ...[true, true, false, false],
    ]);
    // the oldest entry is removed
    expect(['c', 'b', 'a'].map((key) => isFirst(small, key, 300))).toEqual([true, false, true]);
    const roomy = createReplayMemory({ size: 3 });
    expect(['a', 'b', 'c'].map((key, age) => isFirst(roomy, key, age === 0 ? -5 : 300))).toEqual([
      ...[true, true, true],
    ]);
    expect(['a', 'b', 'c'].map((key) => isFirst(roomy, key, 300))).toEqual([true, false, false]);
  });

  it.each([0, -1, 1.5, Number.NaN, '5', null])('has no size of %s', (size) => {
    expect(() => createReplayMemory({ size: size as number })).toThrow(TypeError);
  });
});
