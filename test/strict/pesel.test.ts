import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pesel, peselCenturies, peselDate, withPeselCheckDigit } from './strict-values.js';
import { verdict } from './verdict.js';

const judge = (value: string) => verdict('pesel', value);

describe('a PESEL', () => {
  it('is a day of the five centuries, four digits and a check digit', () => {
    fc.assert(
      fc.property(pesel(), (value) => {
        expect(judge(value)).toBe('ok');
      }),
    );
  });

  it.each([
    '44051401359',
    '44051401458',
    '02070803628',
    '90090515836',
    '92071314764',
    '81100216357',
  ])('%s, as published, is one', (value) => expect(judge(value)).toBe('ok'));

  it.each(peselCenturies)('has the months of the %ss', (century, added) => {
    for (let month = 0; month < 20; month += 1) {
      const front = peselDate(century + 44, month, 14);
      expect(front.slice(2, 4)).toBe(String(month + added).padStart(2, '0'));
      expect(judge(withPeselCheckDigit(`${front}0135`))).toBe(
        month >= 1 && month <= 12 ? 'ok' : 'pesel_wrong_date',
      );
    }
  });

  it.each([
    [1900, 2, 29, false],
    [2000, 2, 29, true],
    [2100, 2, 29, false],
    [1800, 2, 29, false],
    [2200, 2, 29, false],
    [2024, 2, 29, true],
    [2023, 2, 29, false],
    [2024, 2, 30, false],
    [1990, 4, 31, false],
    [1990, 4, 30, true],
    [1990, 12, 31, true],
    [1990, 12, 32, false],
    [1990, 1, 0, false],
    [2011, 12, 30, true],
  ])('of %i-%i-%i: %s', (year, month, day, exists) => {
    expect(judge(withPeselCheckDigit(`${peselDate(year, month, day)}1234`))).toBe(
      exists ? 'ok' : 'pesel_wrong_date',
    );
  });

  it('in which one digit is mistyped is refused', () => {
    fc.assert(
      fc.property(pesel(), fc.nat(10), fc.integer({ min: 1, max: 9 }), (value, at, step) => {
        const digit = String((Number(value[at]) + step) % 10);
        const mistyped = judge(value.slice(0, at) + digit + value.slice(at + 1));
        if (at > 5) expect(mistyped).toBe('pesel_wrong_checksum');
        else expect(['pesel_wrong_checksum', 'pesel_wrong_date']).toContain(mistyped);
      }),
    );
  });

  it('of another length, or with anything but digits, is refused', () => {
    fc.assert(
      fc.property(pesel(), fc.nat(10), (value, at) => {
        expect(judge(value.slice(0, at) + value.slice(at + 1))).toBe('pesel_wrong_length');
        for (const other of ['a', ' ', '-', '٣', '\u0301']) {
          expect(judge(value.slice(0, at) + other + value.slice(at + 1))).toBe(
            'pesel_wrong_format',
          );
        }
      }),
    );
    expect(judge('440514013590')).toBe('too_long');
    expect(judge('4405140135a')).toBe('pesel_wrong_format');
  });
});
