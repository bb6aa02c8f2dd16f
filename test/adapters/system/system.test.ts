import { createHash } from 'node:crypto';
import { dealFields } from 'dealwright/spec';
import { createDigest, createSystemPorts, createSystemTimer, createUlids } from 'dealwright/system';
import * as fc from 'fast-check';
import { decodeTime } from 'ulid';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the system clock', () => {
  const timer = createSystemTimer();

  it("tells the runtime's time", () => {
    const before = Date.now();
    const now = timer.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('wakes once, not before its time', async () => {
    const start = performance.now();
    let woken = 0;
    await new Promise<void>((resolve) => {
      timer.sleep(20, () => {
        woken += 1;
        resolve();
      });
    });
    // timers count whole milliseconds, and may be early by one on a finer clock
    expect(performance.now() - start).toBeGreaterThanOrEqual(19);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(woken).toBe(1);
  });

  it('does not wake after it was cancelled', async () => {
    let woken = 0;
    const cancel = timer.sleep(5, () => {
      woken += 1;
    });
    cancel();
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(woken).toBe(0);
  });
});

describe('ULIDs', () => {
  it('are well-formed, of now, unique, and rise, in one millisecond too', () => {
    const ids = createUlids();
    const before = Date.now();
    const made = Array.from({ length: 20_000 }, () => ids.next());
    expect(made.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true);
    expect(new Set(made).size).toBe(made.length);
    expect(made.slice(1).findIndex((id, index) => id <= (made[index] ?? ''))).toBe(-1);
    const first = decodeTime(made[0] ?? '');
    expect(first).toBeGreaterThanOrEqual(before);
    expect(first).toBeLessThanOrEqual(Date.now());
  });

  it('rise though the clock is put back', () => {
    const ids = createUlids();
    const now = Date.now();
    const timer = vi.spyOn(Date, 'now').mockReturnValue(now);
    const early = ids.next();
    timer.mockReturnValue(now - 60_000);
    const later = ids.next();
    timer.mockRestore();
    expect(later > early).toBe(true);
    expect(ids.next() > later).toBe(true);
  });

  it('of two makers are different', () => {
    const [a, b] = [createUlids(), createUlids()];
    const made = Array.from({ length: 200 }, () => [a.next(), b.next()]).flat();
    expect(new Set(made).size).toBe(400);
  });

  it('use every letter of the alphabet for their random part', () => {
    // a new maker each time: all 16 random letters of the first ULID of a millisecond differ
    const letters = new Set(
      Array.from({ length: 200 }, () => createUlids().next().slice(10)).join(''),
    );
    expect(letters.size).toBe(32);
  });

  it('ask the runtime for randomness a kilobyte at a time', () => {
    const draws: number[] = [];
    const real = globalThis.crypto;
    vi.stubGlobal('crypto', {
      getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => {
        draws.push(bytes.length);
        return real.getRandomValues(bytes);
      },
    });
    const ids = createUlids();
    const timer = vi.spyOn(Date, 'now');
    for (let index = 0; index < 128; index += 1) {
      timer.mockReturnValue(1_800_000_000_000 + index); // a new millisecond each: 16 bytes each
      ids.next();
    }
    timer.mockRestore();
    expect(draws).toEqual([1024, 1024]);
  });
});

describe('the digest', () => {
  const expected = (text: string) => createHash('sha256').update(text).digest('hex');

  it.each([
    ["Node's own hash", () => createDigest()],
    [
      'that of a runtime without it',
      () => {
        vi.stubGlobal('process', undefined);
        const digest = createDigest();
        vi.unstubAllGlobals();
        return digest;
      },
    ],
    [
      'that of a Node without crypto.hash',
      () => {
        vi.stubGlobal('process', { getBuiltinModule: () => ({}) });
        const digest = createDigest();
        vi.unstubAllGlobals();
        return digest;
      },
    ],
  ])('is SHA-256 in hexadecimal with %s', (_, make) => {
    const digest = make();
    expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const any = dealFields().description.valid;
    fc.assert(fc.property(any, (text) => digest(text) === expected(text)));
  });
});

it('the system ports are all three', () => {
  const { timer, ids, digest } = createSystemPorts();
  expect(timer.now()).toBeGreaterThan(0);
  expect(ids.next()).toHaveLength(26);
  expect(digest('')).toHaveLength(64);
});
