import { formatMoney, fromMinorUnits, type Money, parseMoney, splitMoney } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, decimal, decimalLike, isDecimal } from './decimal-values.js';

const canonical = /^(?:0|-?[1-9]\d*|-0(?=\.(?!00)))\.\d{2}$/;
const amount: fc.Arbitrary<Money> = fc
  .oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -200n, max: 200n }))
  .map(fromMinorUnits);
const weights = fc.array(fc.oneof(fc.nat(5), fc.maxSafeNat(), fc.constantFrom(0, -0)), {
  maxLength: 12,
});

describe('parseMoney', () => {
  it("takes exactly what matches the interface's pattern and holds a digit", () => {
    fc.assert(
      fc.property(decimalLike, (text) => {
        expect(parseMoney(text) !== undefined).toBe(isDecimal(text));
      }),
      {
        numRuns: 1000,
        examples: [[''], ['-'], ['.'], ['-.'], ['-.1'], ['1.'], ['1\n'], ['١'], ['1.234']],
      },
    );
  });

  it('reads every decimal to the cent, 18 digits before the point and 2 after it', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(parseMoney(text)).toBe(centsOf(text));
      }),
    );
    expect(parseMoney('999999999999999999.99')).toBe(99999999999999999999n);
    expect(parseMoney('-999999999999999999.99')).toBe(-99999999999999999999n);
    expect(parseMoney('123456789012345678.91')).toBe(12345678901234567891n);
    expect(parseMoney('.5')).toBe(50n);
    expect(parseMoney('5.')).toBe(500n);
    expect(parseMoney('-.05')).toBe(-5n);
    expect(parseMoney('007')).toBe(700n);
  });
});

describe('formatMoney', () => {
  it('writes one canonical form: two decimals, no superfluous zeros, never -0.00', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const money = parseMoney(text);
        if (money === undefined) throw new Error('the arbitrary makes decimals only');
        const written = formatMoney(money);
        expect(written).toMatch(canonical);
        expect(parseMoney(written)).toBe(money);
      }),
      { examples: [['-0'], ['-.00'], ['-0.'], ['000'], ['-0.01'], ['0000001.1']] },
    );
  });

  it('is read back as what it was written from, and written again the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n }), (cents) => {
        const written = formatMoney(fromMinorUnits(cents));
        const again = parseMoney(written);
        expect(again).toBe(cents);
        if (again !== undefined) expect(formatMoney(again)).toBe(written);
      }),
    );
  });

  it.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [-1n, '-0.01'],
    [10n, '0.10'],
    [99n, '0.99'],
    [-100n, '-1.00'],
    [100050n, '1000.50'],
    [99999999999999999999n, '999999999999999999.99'],
  ])('writes %s cents as %s', (cents, written) => {
    expect(formatMoney(fromMinorUnits(cents))).toBe(written);
  });
});

describe('splitMoney', () => {
  it('conserves the amount, keeps within a cent of each proportion, gives no weight nothing', () => {
    fc.assert(
      fc.property(amount, weights, (whole, parts) => {
        const total = parts.reduce((sum, weight) => sum + BigInt(weight), 0n);
        const shares = splitMoney(whole, parts);
        if (total === 0n) {
          expect(shares).toBeUndefined();
          return;
        }
        expect(shares).toHaveLength(parts.length);
        expect(shares?.reduce<bigint>((sum, share) => sum + share, 0n)).toBe(whole);
        shares?.forEach((share, index) => {
          const weight = BigInt(parts[index] ?? 0);
          const distance = share * total - whole * weight;
          expect(distance < total && -distance < total).toBe(true);
          if (weight === 0n) expect(share).toBe(0n);
        });
      }),
      {
        numRuns: 300,
        // a share without a remainder takes no cent of the others
        examples: [
          [fromMinorUnits(2n), [2, 1, 1]],
          [fromMinorUnits(-2n), [2, 1, 1]],
        ],
      },
    );
  });

  it.each([
    [100n, [1, 1, 1], [34n, 33n, 33n]],
    [101n, [1, 1, 1], [34n, 34n, 33n]],
    [-100n, [1, 1, 1], [-34n, -33n, -33n]],
    [2n, [2, 1, 1], [1n, 1n, 0n]],
    [1n, [0, 1, 1], [0n, 1n, 0n]],
    [0n, [1, 2], [0n, 0n]],
    [100n, [1], [100n]],
    [99999999999999999999n, [1, 1], [50000000000000000000n, 49999999999999999999n]],
  ])('splits %s by %j', (whole, parts, shares) => {
    expect(splitMoney(fromMinorUnits(whole), parts)).toEqual(shares);
  });

  it('answers invalid weights with undefined', () => {
    const invalid = fc.constantFrom(-1, 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -0.1);
    fc.assert(
      fc.property(amount, weights, invalid, fc.nat(), (whole, parts, weight, at) => {
        const index = at % (parts.length + 1);
        const list = [...parts.slice(0, index), weight, ...parts.slice(index)];
        expect(splitMoney(whole, list)).toBeUndefined();
      }),
    );
    expect(splitMoney(fromMinorUnits(1n), [])).toBeUndefined();
    expect(splitMoney(fromMinorUnits(1n), [0, 0])).toBeUndefined();
    const sparse: number[] = [1];
    sparse[2] = 1;
    expect(splitMoney(fromMinorUnits(3n), sparse)).toBeUndefined();
  });
});
