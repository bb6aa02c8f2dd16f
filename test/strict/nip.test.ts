import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nip, nipDigits, nipForms, nipFrontWithoutCheckDigit } from './strict-values.js';
import { verdict } from './verdict.js';

const judge = (value: string) => verdict('nip', value);

describe('a NIP', () => {
  it('is ten digits, with the usual hyphens or without', () => {
    fc.assert(
      fc.property(nip(), (value) => {
        expect(judge(value)).toBe('ok');
      }),
    );
  });

  it.each([
    '5260001246', // the tax administration itself
    '526-000-12-46',
    '526-00-01-246',
    '1234563218',
    '123-456-32-18',
    '7740001454',
    '5252248481',
  ])('%s, as published, is one', (value) => expect(judge(value)).toBe('ok'));

  it('in which one digit is mistyped has a wrong checksum', () => {
    fc.assert(
      fc.property(
        nipDigits(),
        fc.nat(9),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(2),
        (value, at, step, form) => {
          const digit = String((Number(value[at]) + step) % 10);
          const mistyped = value.slice(0, at) + digit + value.slice(at + 1);
          expect(judge(nipForms(mistyped)[form] ?? '')).toBe('nip_wrong_checksum');
        },
      ),
    );
  });

  it('whose checksum would be 10 does not exist', () => {
    fc.assert(
      fc.property(nipFrontWithoutCheckDigit(), fc.nat(9), (front, digit) => {
        expect(judge(`${front}${digit}`)).toBe('nip_wrong_checksum');
      }),
    );
  });

  it('of another count of digits has a wrong length', () => {
    fc.assert(
      fc.property(nip(), (value) => {
        expect(judge(value.slice(0, -1))).toBe('nip_wrong_length');
        expect(judge(`${value}0`)).toBe('nip_wrong_length');
      }),
    );
  });

  it('with anything but digits, or hyphens elsewhere, has a wrong format', () => {
    fc.assert(
      fc.property(nipDigits(), fc.nat(10), (value, at) => {
        for (const other of [' ', '–', 'PL', '.', '٣', '-']) {
          expect(judge(value.slice(0, at) + other + value.slice(at))).toBe('nip_wrong_format');
        }
      }),
    );
    for (const value of ['526-000-1246', '52-6000-12-46', '526-000-12-46-', '526--0001246']) {
      expect(judge(value)).toBe('nip_wrong_format');
    }
  });
});
