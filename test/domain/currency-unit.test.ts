import { currencyCodes, currencyDecimals, fromMinorUnits, splitMoney } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tooFine, unitOf } from '../../src/domain/values/currency-unit.js';
import { currenciesInUse } from './code-lists.js';

/** ISO 4217, list one as of 2026-01-01: the minor units of all codes but those that have 2. */
const published: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const decimals = new Map(
  Object.entries(published).flatMap(([count, codes]) =>
    codes.split(' ').map((code) => [code, Number(count)] as const),
  ),
);
const withoutCents = [...decimals].filter(([, count]) => count === 0).map(([code]) => code);

describe('currencyDecimals', () => {
  it('are those of ISO 4217 of each code in use', () => {
    expect([...decimals.keys()].filter((code) => !currencyCodes.has(code))).toEqual([]);
    const found = currenciesInUse.map((code) => [code, currencyDecimals(code)]);
    expect(found).toEqual(currenciesInUse.map((code) => [code, decimals.get(code) ?? 2]));
  });

  it('are two of any other text', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...letters) }));
    fc.assert(
      fc.property(
        text.filter((each) => !decimals.has(each.toUpperCase())),
        (code) => currencyDecimals(code) === 2,
      ),
    );
    expect(['', 'JPYX', 'XJPY', 'JP', 'JPY\n'].map(currencyDecimals)).toEqual([2, 2, 2, 2, 2]);
  });

  it('do not depend on the case of ASCII letters, and no other letter is one of them', () => {
    expect(['jpy', 'Jpy', 'kWd'].map(currencyDecimals)).toEqual([0, 0, 3]);
    // the dotless i, the long s and the sign of Kelvin become ASCII letters in other cases
    expect(['cl\u0131', '\u0131sk', 'i\u017fk', 'is\u212a', 'bif'].map(currencyDecimals)).toEqual([
      ...[2, 2, 2, 2, 0],
    ]);
  });
});

describe('the unit of a currency', () => {
  it('is 1.00 without decimals, else 0.01', () => {
    for (const code of currenciesInUse) {
      expect(unitOf(code), code).toBe(withoutCents.includes(code) ? 100n : 1n);
    }
  });

  it('finds finer money wherever it is', () => {
    const given = {
      ...{ amount: 150n, agreed_amount: 200n, title: '150', stage_id: 150, nothing: undefined },
      changes: { amount: -1n, stages: [{ budget: 100n }, { id: 1, budget: 101n }, null] },
    };
    const paths = (currency: string) => tooFine(given, currency).map(({ path }) => path.join('.'));
    expect(paths('JPY')).toEqual(['amount', 'changes.amount', 'changes.stages.1.budget']);
    expect(paths('KWD')).toEqual([]);
    expect(tooFine({ amount: 1n }, 'jpy')).toEqual([
      { path: ['amount'], code: 'too_fine', params: { unit: '1.00' } },
    ]);
  });
});

describe('splitMoney with a currency', () => {
  const amount = fc.bigInt(-(10n ** 9n), 10n ** 9n).map(fromMinorUnits);
  const weights = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 });

  it('conserves the amount, and each share is whole, but for the rest of a finer amount', () => {
    fc.assert(
      fc.property(amount, weights, fc.constantFrom('JPY', 'krw'), (whole, parts, currency) => {
        const total = parts.reduce((sum, weight) => sum + BigInt(weight), 0n);
        fc.pre(total > 0n);
        const shares = splitMoney(whole, parts, currency) ?? [];
        expect(shares).toHaveLength(parts.length);
        expect(shares.reduce<bigint>((sum, share) => sum + share, 0n)).toBe(whole);
        const finer = shares.filter((share) => share % 100n !== 0n);
        expect(finer.length).toBe(whole % 100n === 0n ? 0 : 1);
        shares.forEach((share, at) => {
          const distance = share * total - whole * BigInt(parts[at] ?? 0);
          expect(distance < 100n * total && -distance < 100n * total).toBe(true);
        });
      }),
    );
  });

  it.each([
    ['JPY', 100_000n, [1, 1, 1], [33_400n, 33_300n, 33_300n]],
    ['JPY', -100_000n, [1, 1, 1], [-33_400n, -33_300n, -33_300n]],
    ['JPY', 150n, [1, 1], [100n, 50n]],
    ['KWD', 100n, [1, 1, 1], [34n, 33n, 33n]],
    ['PLN', 100n, [1, 1, 1], [34n, 33n, 33n]],
  ])('splits in %s %s by %j', (currency, whole, parts, shares) => {
    expect(splitMoney(fromMinorUnits(whole), parts, currency)).toEqual(shares);
  });
});
