import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWebhookParser, mostTypes } from '../../src/domain/events/webhook-input.js';

const parse = createWebhookParser();
const url = 'https://example.com/hooks';
/** Visible ASCII without the comma, which separates types in a query. */
const letter = fc.constantFrom(
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).filter((c) => c !== ','),
);
const type = fc.string({ unit: letter, minLength: 1, maxLength: 100 });
const codesOf = (input: unknown) =>
  parse(input)
    ._unsafeUnwrapErr()
    .map(({ path, code }) => [path.join('.'), code]);

describe('a webhook that is asked for', () => {
  it('takes every list of types within its bounds, each type once', () => {
    fc.assert(
      fc.property(fc.array(type, { maxLength: mostTypes }), fc.boolean(), (types, ordered) => {
        expect(parse({ url, types, ordered })._unsafeUnwrap()).toStrictEqual({
          url,
          types: [...new Set(types)],
          ordered,
        });
      }),
    );
  });

  it('wants every type, in any order, unless it says otherwise', () => {
    const plain = { url, types: [], ordered: false };
    expect(parse({ url })._unsafeUnwrap()).toStrictEqual(plain);
    expect(parse({ url, types: [], other: 1 })._unsafeUnwrap()).toStrictEqual(plain);
  });

  it('refuses one step outside of each bound, and says which', () => {
    expect(parse({ url: 'x'.repeat(2_048) }).isOk()).toBe(true);
    expect(codesOf({ url: 'x'.repeat(2_049) })).toEqual([['url', 'too_long']]);
    expect(codesOf({ url: '' })).toEqual([['url', 'too_short']]);
    expect(parse({ url, types: ['x'.repeat(100)] }).isOk()).toBe(true);
    expect(codesOf({ url, types: ['x'.repeat(101)] })).toEqual([['types.0', 'too_long']]);
    expect(codesOf({ url, types: ['ok', ''] })).toEqual([['types.1', 'too_short']]);
    const many = Array.from({ length: mostTypes + 1 }, (_, at) => `type.${at}`);
    expect(parse({ url, types: many.slice(1) }).isOk()).toBe(true);
    expect(codesOf({ url, types: many })).toEqual([['types', 'too_many_types']]);
  });

  it('refuses a type with a character that is not visible ASCII, or a comma', () => {
    const bad = fc.oneof(
      fc.constantFrom(',', ' ', '\n', '\u007f', 'ż', '😀'),
      fc.integer({ min: 0x80, max: 0xd7ff }).map((code) => String.fromCharCode(code)),
    );
    fc.assert(
      fc.property(type, bad, type, (before, character, after) => {
        const given = `${before.slice(0, 40)}${character}${after.slice(0, 40)}`;
        expect(codesOf({ url, types: ['deal.created', given] })).toEqual([
          ['types.1', 'invalid_event_type'],
        ]);
      }),
    );
  });

  it('reads own members alone, each once, though a getter or a list throws the next time', () => {
    const once = <T>(value: T) => {
      let reads = 0;
      return () => {
        reads += 1;
        if (reads > 1) throw new Error('read twice');
        return value;
      };
    };
    const getters = {
      url: { get: once(url), enumerable: true },
      types: { get: once(['a']), enumerable: true },
      ordered: { get: once(true), enumerable: true },
    };
    const wanted = { url, types: ['a'], ordered: true };
    expect(parse(Object.defineProperties({}, getters))._unsafeUnwrap()).toStrictEqual(wanted);
    const inherited = Object.assign(Object.create({ types: ['a'], ordered: true }), { url });
    expect(parse(inherited)._unsafeUnwrap()).toStrictEqual({ url, types: [], ordered: false });
    const revoked = Proxy.revocable<string[]>([], {});
    revoked.revoke();
    const hostile = Object.defineProperty(['a'], 0, {
      get() {
        throw new Error('no element');
      },
    });
    for (const types of [revoked.proxy, hostile]) {
      expect(codesOf({ url, types })).toEqual([['types', 'wrong_type']]);
    }
    const endless = Object.assign(['a'], {
      *entries() {
        for (let at = 0; at < 1_000; at += 1) yield [at, `type.${at}`];
      },
    });
    expect(parse({ url, types: endless })._unsafeUnwrap().types).toEqual(['a']);
    let reads = 0;
    const changing = {
      get url() {
        reads += 1;
        if (reads === 1) throw new Error('not yet');
        return url;
      },
    };
    expect(codesOf(changing)).toEqual([['', 'wrong_type']]);
  });

  it('tells of all that is wrong at once', () => {
    expect(codesOf({ types: [1, 'a,b'], ordered: 'yes' })).toEqual([
      ['url', 'required'],
      ['types.0', 'wrong_type'],
      ['types.1', 'invalid_event_type'],
      ['ordered', 'wrong_type'],
    ]);
    expect(codesOf({ url: null, types: null, ordered: null })).toEqual([
      ['url', 'null_not_allowed'],
      ['types', 'null_not_allowed'],
      ['ordered', 'null_not_allowed'],
    ]);
    expect(codesOf({ url, types: 'deal.created' })).toEqual([['types', 'wrong_type']]);
    for (const given of [undefined, 'text', 7, []]) {
      expect(codesOf(given), String(given)).toEqual([['', expect.any(String)]]);
    }
    expect(codesOf(null)).toEqual([['', 'null_not_allowed']]);
  });
});
