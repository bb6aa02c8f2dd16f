import * as fc from 'fast-check';
import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { ibanRegistry } from './iban-registry.js';
import {
  characterClasses,
  classesOf,
  iban,
  ibanCountries,
  ibanOf,
  structureOf,
  withIbanCheckDigits,
} from './strict-values.js';
import { verdict } from './verdict.js';

const judge = (value: string) => verdict('bank_account_iban', value);

const replaceAt = (value: string, at: number, character: string) =>
  value.slice(0, at) + character + value.slice(at + 1);

describe('an IBAN', () => {
  it.each(Object.entries(ibanRegistry))('of %s: the example of the registry', (country, entry) => {
    const [structure, example] = entry;
    expect(example).toHaveLength(4 + classesOf(structure).length);
    expect(withIbanCheckDigits(country, example.slice(4))).toBe(example);
    expect(judge(example)).toBe('ok');
  });

  it.each(ibanCountries)('of %s is any account of its structure', (country) => {
    fc.assert(
      fc.property(ibanOf(country), (value) => {
        expect(judge(value)).toBe('ok');
      }),
      { numRuns: 20 },
    );
  });

  it('in which one character is mistyped for another of its class has a wrong checksum', () => {
    fc.assert(
      fc.property(iban(), fc.nat(), fc.nat(), (value, position, choice) => {
        const classes = classesOf(structureOf(value.slice(0, 2)));
        const at = 4 + (position % classes.length);
        const original = value.charAt(at);
        const alphabet = /[0-9]/.test(original) ? characterClasses.n : characterClasses.a;
        const others = [...alphabet].filter((each) => each !== original);
        const mistyped = replaceAt(value, at, others[choice % others.length] ?? '');
        expect(judge(mistyped)).toBe('iban_wrong_checksum');
      }),
    );
  });

  it('in which two neighbouring digits change places has a wrong checksum', () => {
    fc.assert(
      fc.property(iban(), fc.nat(), (value, position) => {
        const at = 4 + (position % (value.length - 5));
        const [first, second] = [value.charAt(at), value.charAt(at + 1)];
        fc.pre(first !== second && /^\d\d$/.test(first + second));
        const swapped = replaceAt(replaceAt(value, at, second), at + 1, first);
        expect(judge(swapped)).toBe('iban_wrong_checksum');
      }),
    );
  });

  it('with a character outside of its class has a wrong format', () => {
    fc.assert(
      fc.property(iban(), fc.nat(), (value, position) => {
        const classes = classesOf(structureOf(value.slice(0, 2)));
        const at = position % classes.length;
        const outside = { n: 'A', a: '7', c: 'ü' }[classes[at] ?? 'c'];
        expect(judge(replaceAt(value, 4 + at, outside))).toBe('iban_wrong_format');
        expect(judge(replaceAt(value, 4 + at, 'a'))).toBe('iban_wrong_format');
      }),
    );
  });

  it('a character longer or shorter has a wrong length', () => {
    fc.assert(
      fc.property(iban(), (value) => {
        expect(judge(`${value}0`)).toBe(value.length === 34 ? 'too_long' : 'iban_wrong_length');
        expect(judge(value.slice(0, -1))).toBe(
          value.length === 15 ? 'too_short' : 'iban_wrong_length',
        );
      }),
    );
  });

  it('of a country without one is refused, and so is one of a territory of another country', () => {
    for (const country of ['US', 'ZZ', 'CA', 'AU', 'de', '1A', 'GP', 'RE', 'AX', '__', '??']) {
      expect(judge(`${country}611904300234573201`)).toBe('iban_unknown_country');
    }
    expect(judge('constructor00000')).toBe('iban_unknown_country');
  });

  it('under the code of another country of the same structure is judged by its checksum', () => {
    const elsewhere = (country: string) =>
      ibanCountries.filter(
        (each) => each !== country && structureOf(each) === structureOf(country),
      );
    fc.assert(
      fc.property(iban(), fc.nat(), (value, choice) => {
        const others = elsewhere(value.slice(0, 2));
        fc.pre(others.length > 0);
        const country = others[choice % others.length] ?? '';
        const moved = `${country}${value.slice(2)}`;
        // two letters can differ by a multiple of 97: neither the standard nor we can see that
        const same = withIbanCheckDigits(country, value.slice(4)) === moved;
        expect(judge(moved)).toBe(same ? 'ok' : 'iban_wrong_checksum');
      }),
    );
  });

  it('has check digits of 02 to 98, though 00, 01 and 99 may divide as well', () => {
    fc.assert(
      fc.property(iban(), fc.integer({ min: 0, max: 99 }), (value, pair) => {
        const digits = String(pair).padStart(2, '0');
        const expected =
          digits === value.slice(2, 4)
            ? 'ok'
            : pair < 2 || pair > 98
              ? 'iban_wrong_format'
              : 'iban_wrong_checksum';
        expect(judge(replaceAt(replaceAt(value, 2, digits.charAt(0)), 3, digits.charAt(1)))).toBe(
          expected,
        );
      }),
      { numRuns: 500 },
    );
    expect(judge('ATX11904300234573201')).toBe('iban_wrong_format');
  });

  it.each([
    'GB82WEST12345698765432', // ECBS
    'FR7630006000011234567890189',
    'ES7921000813610123456789',
    'DE75512108001245126199',
    'CH5604835012345678009',
    'PL10105000997603123456789123',
    'BE71096123456769',
    'NL02ABNA0123456789',
    'MA64011519000001205000534921', // not in the registry, in use
    'DZ580002100001113000000570',
    'SN08SN0100152000048500003035',
    'AO06004400006729503010102',
  ])('%s is one', (value) => expect(judge(value)).toBe('ok'));

  it.each([
    ['AT61 1904 3002 3457 3201', 'iban_wrong_length'],
    ['at611904300234573201', 'iban_unknown_country'],
    ['AT611904300234573202', 'iban_wrong_checksum'],
    ['AT61190430023457320O', 'iban_wrong_format'],
    ['AT61190430023457320', 'iban_wrong_length'],
    ['GB29NWBK6016133192681٩', 'iban_wrong_format'],
  ])('%s is not one: %s', (value, code) => expect(judge(value)).toBe(code));
});

describe('the table of the library', () => {
  /** If this list changes, ibantools has changed: then review the corrections. */
  it('differs from the registry in these countries only', () => {
    const specifications = getCountrySpecifications();
    const inLibrary = (country: string, bban: string) =>
      new RegExp(specifications[country]?.bban_regexp ?? 'x^').test(bban);
    const probes = (structure: string) => {
      const classes = classesOf(structure);
      const valid: readonly string[] = classes.map((each) => (each === 'n' ? '0' : 'A'));
      const change = (at: number, character: string) => {
        const changed = [...valid];
        changed[at] = character;
        return changed.join('');
      };
      return classes.flatMap((each, at) => [
        [change(at, '5'), each !== 'a'] as const,
        [change(at, 'B'), each !== 'n'] as const,
      ]);
    };
    const different = ibanCountries.filter((country) =>
      probes(structureOf(country)).some(([bban, valid]) => inLibrary(country, bban) !== valid),
    );
    expect(different).toEqual(['BY', 'DO', 'GE', 'IE', 'PK', 'PS', 'TR', 'VG']);
  });

  it('agrees if it judges by the same rules', () => {
    const nationalChecks = 'BA BE CZ EE ES FR HR HU MC ME MK NO PL PT RS SI SK'.split(' ');
    const corrected = 'BY DO PK PS'.split(' ');
    const same = ibanCountries.filter((each) => ![...nationalChecks, ...corrected].includes(each));
    fc.assert(
      fc.property(fc.constantFrom(...same).chain(ibanOf), (value) => {
        expect(isValidIBAN(value)).toBe(true);
      }),
    );
  });
});
