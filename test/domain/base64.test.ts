import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../src/domain/values/content.js';

const alphabet = /^[A-Za-z0-9+/]$/;

describe('base64', () => {
  it('is decoded as Buffer encodes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(decodeBase64(text)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('is decoded exactly if the bytes encode to the same text again', () => {
    const letter = fc.constantFrom(
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    );
    const four = (parts: number, end: string) =>
      fc.string({ unit: letter, minLength: parts, maxLength: parts }).map((text) => text + end);
    const whole = fc.array(four(4, ''), { maxLength: 20 }).map((parts) => parts.join(''));
    const end = fc.oneof(fc.constant(''), four(2, '=='), four(3, '='));
    fc.assert(
      fc.property(whole, end, (start, rest) => {
        const text = start + rest;
        const bytes = Buffer.from(text, 'base64');
        const isCanonical = bytes.toString('base64') === text;
        expect(decodeBase64(text)).toEqual(isCanonical ? new Uint8Array(bytes) : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['QR==', 'QUJ=', 'YWJjQR=='])('is not %j, which has bits after its last byte', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  it('is not what differs from it by one character', () => {
    const breaking = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((letter) => !alphabet.test(letter));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.nat(),
        breaking,
        (bytes, n, x) => {
          const text = Buffer.from(bytes).toString('base64');
          const at = n % text.length;
          expect(decodeBase64(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
          expect(decodeBase64(`${text.slice(0, at)}A${text.slice(at)}`)).toBeUndefined();
          // one more padding is valid in the last two places
          if (x === '=' && at >= text.length - 2) return;
          expect(decodeBase64(text.slice(0, at) + x + text.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    '=',
    '==',
    '===',
    '====',
    'A===',
    'A',
    'AA',
    'AAA',
    'AA=A',
    '=AAA',
    'AAAA=',
    'AA==AAAA',
  ])('is not %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  it.each(['YW Jj', 'YWJj\n', ' YWJj', 'YWJ-', 'YWJ_', 'YWJż', 'YWJ😀', '\0\0\0\0'])(
    'is not %j, which others would read',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  it.each([1, 8])('of %s MiB is decoded', (mebibytes) => {
    const bytes = Buffer.alloc(mebibytes * 2 ** 20, 'some text \xff');
    expect(bytes.equals(decodeBase64(bytes.toString('base64')) ?? new Uint8Array())).toBe(true);
  });
});
