import { countryCodes } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bic } from './strict-values.js';
import { verdict } from './verdict.js';

const judge = (value: string) => verdict('bank_account_bic', value);
const anyBic = bic([...countryCodes]);

describe('a BIC', () => {
  it('has 8 or 11 characters with a country in the middle', () => {
    fc.assert(
      fc.property(anyBic, (value) => {
        expect(judge(value)).toBe('ok');
      }),
    );
  });

  it.each([
    'SANTATWWXXX',
    'DEUTDEFF',
    'DEUTDEFF500',
    'NEDSZAJJXXX',
    'ABNANL2A',
    'NBKOXKPR',
    'UNCRIT2B912',
    'BREXPLPWMBK',
    'J5BMVU7D', // digits in front, as ISO 20022 has them since 2014
  ])('%s is one', (value) => expect(judge(value)).toBe('ok'));

  it('of any other length is refused', () => {
    fc.assert(
      fc.property(anyBic, fc.integer({ min: 1, max: 10 }), (value, length) => {
        fc.pre(length !== 8);
        expect(judge(value.padEnd(11, 'X').slice(0, length))).toBe('bic_wrong_length');
      }),
    );
    expect(judge('DEUTDEFF5000')).toBe('too_long');
  });

  it('with a character outside of its class is refused', () => {
    fc.assert(
      fc.property(anyBic, fc.nat(), fc.constantFrom('a', '-', ' ', 'Ä', '٣'), (value, at, each) => {
        const position = at % value.length;
        const changed = value.slice(0, position) + each + value.slice(position + 1);
        expect(judge(changed)).toBe('bic_wrong_format');
      }),
    );
  });

  it('with an unknown country is refused', () => {
    const none = bic(['ZZ', 'XX', 'EU', 'UK', 'AN', '12', 'D3', '3D']);
    fc.assert(
      fc.property(none, (value) => {
        expect(judge(value)).toBe('bic_wrong_format');
      }),
    );
  });
});
