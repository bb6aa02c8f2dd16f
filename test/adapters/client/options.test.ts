import { type ClientOptions, createClient } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const token = 'a-token-that-nobody-may-see';
describe('createClient', () => {
  const good = { baseUrl: 'http://127.0.0.1:1', token };
  it.each([
    ['a relative base', { ...good, baseUrl: '/api' }],
    ['an empty base', { ...good, baseUrl: '' }],
    ['a base of another scheme', { ...good, baseUrl: 'ftp://example.com' }],
    ['a base with a password', { ...good, baseUrl: 'https://user:secret-pass@example.com' }],
    ['a base with a query', { ...good, baseUrl: 'https://example.com/?key=secret-pass' }],
    ['a base with a fragment', { ...good, baseUrl: 'https://example.com/#secret-pass' }],
    ['a base with an empty query', { ...good, baseUrl: 'https://example.com/?' }],
    ['a base with an empty fragment', { ...good, baseUrl: 'https://example.com/#' }],
    ['an empty token', { ...good, token: '' }],
    ['a token with a line break', { ...good, token: 'secret-pass\r\nX: y' }],
    ['a token beyond ASCII', { ...good, token: 'secret-pass-ż' }],
    ['no time', { ...good, timeout: 0 }],
    ['time that is no number', { ...good, timeout: Number.NaN }],
    ['more time than a timer has', { ...good, timeout: 2 ** 31 }],
    ['a header of its own', { ...good, headers: { authorization: 'secret-pass' } }],
    ['a header with a line break', { ...good, headers: { 'X-A': 'secret-pass\r\nX: y' } }],
    ['a header without a name', { ...good, headers: { '': 'secret-pass' } }],
    ['a fetch that is no function', { ...good, fetch: 'fetch' }],
  ])('refuses %s, without repeating it', (_, options) => {
    const create = () => createClient(options as ClientOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^createClient: /);
    expect(create).not.toThrow(/secret-pass/);
  });

  const problemsOf = (options: unknown): readonly string[] => {
    try {
      createClient(options as ClientOptions);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return (error as TypeError).message.replace(/^createClient: /, '').split('; ');
    }
    return [];
  };

  it('says all that is missing at once, the address first', () => {
    for (const nothing of [{}, undefined, null, 7]) {
      expect(problemsOf(nothing)).toEqual([
        expect.stringMatching(/^baseUrl is /),
        expect.stringMatching(/^token is /),
      ]);
    }
    expect(problemsOf(good)).toEqual([]);
  });

  it('says each option that is wrong, once', () => {
    const wrong: Readonly<Record<keyof ClientOptions & string, readonly unknown[]>> = {
      baseUrl: [undefined, null, 7, '/api', new URL('http://127.0.0.1:1')],
      token: [undefined, null, 7, ''],
      timeout: [null, -1, '5'],
      attempts: [-1, '3', 2.5, Number.NaN],
      retryBase: [-1, 1e7],
      retryCap: ['x'],
      maxRetryAfter: [Number.POSITIVE_INFINITY],
      headers: [{ 'X-A': 1, 'X-B': 2 }],
      random: [null, 0.5],
      onExchange: ['log', {}],
      timer: [null, {}, 7, { now: () => 0 }],
      fetch: ['fetch', {}],
      makeKeys: [],
      language: ['de', null, 7],
    };
    const value = fc.constantFrom(...Object.entries(wrong)).chain(([name, values]) =>
      fc.constantFrom(...(values.length === 0 ? [undefined] : values)).map((each) => ({
        name,
        each,
        isWrong: values.length > 0,
      })),
    );
    const property = fc.property(
      fc.uniqueArray(value, { selector: ({ name }) => name, maxLength: 6 }),
      (chosen) => {
        const options = Object.fromEntries(chosen.map(({ name, each }) => [name, each]));
        const names = chosen.flatMap(({ name, isWrong }) => {
          const isFunction = ['random', 'onExchange', 'timer'].includes(name);
          return isWrong ? [isFunction ? 'random' : name] : [];
        });
        const told = problemsOf({ ...good, ...options }).map((each) => /^\w+/.exec(each)?.[0]);
        expect([...told].sort()).toEqual([...new Set(names)].sort());
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('takes the longest time and any base', () => {
    for (const baseUrl of ['http://[::1]:8080', 'https://example.com/a/b/', 'http://localhost']) {
      expect(() => createClient({ ...good, baseUrl, timeout: 2 ** 31 - 1 })).not.toThrow();
    }
  });
});
