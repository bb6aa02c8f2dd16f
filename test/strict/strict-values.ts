import * as fc from 'fast-check';
import { ibanRegistry } from './iban-registry.js';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The characters of each class of the registry: n, a and c. */
export const characterClasses = { n: digits, a: letters, c: digits + letters } as const;
export type CharacterClass = keyof typeof characterClasses;

/** `4a14n` as one class for each character. */
export function classesOf(structure: string): CharacterClass[] {
  return [...structure.matchAll(/(\d+)([nac])/g)].flatMap(([, count, each]) =>
    Array.from({ length: Number(count) }, () => each as CharacterClass),
  );
}

/** ISO 7064 MOD 97-10 in one division of big integers, unlike the code under test. */
export function withIbanCheckDigits(country: string, bban: string): string {
  const figures = [...`${bban}${country}00`].map((each) => Number.parseInt(each, 36)).join('');
  return country + String(98n - (BigInt(figures) % 97n)).padStart(2, '0') + bban;
}

export const ibanCountries = Object.keys(ibanRegistry);

export function structureOf(country: string): string {
  return ibanRegistry[country]?.[0] ?? '';
}

/** IBANs of a country: any account of its structure, with the right check digits. */
export function ibanOf(country: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      ...classesOf(structureOf(country)).map((each) => fc.constantFrom(...characterClasses[each])),
    )
    .map((characters) => withIbanCheckDigits(country, characters.join('')));
}

export function iban(): fc.Arbitrary<string> {
  return fc.constantFrom(...ibanCountries).chain(ibanOf);
}

const upper = fc.constantFrom(...letters);
const alphanumeric = fc.constantFrom(...digits, ...letters);

/** BICs of ISO 9362:2014, of 8 and of 11 characters. */
export function bic(countries: readonly string[]): fc.Arbitrary<string> {
  const prefix = fc.oneof(
    fc.string({ unit: upper, minLength: 4, maxLength: 4 }),
    fc.string({ unit: alphanumeric, minLength: 4, maxLength: 4 }),
  );
  return fc
    .tuple(
      prefix,
      fc.constantFrom(...countries),
      fc.string({ unit: alphanumeric, minLength: 2, maxLength: 2 }),
      fc.oneof(
        fc.constantFrom('', 'XXX'),
        fc.string({ unit: alphanumeric, minLength: 3, maxLength: 3 }),
      ),
    )
    .map((parts) => parts.join(''));
}

/** The number added to the month of birth in each century. */
export const peselCenturies = [
  [1800, 80],
  [1900, 0],
  [2000, 20],
  [2100, 40],
  [2200, 60],
] as const;

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** The beginning of a PESEL: a date in the notation of its century, even an invalid one. */
export function peselDate(year: number, month: number, day: number): string {
  const [, added] = peselCenturies.find(([from]) => year >= from && year < from + 100) ?? [0, 0];
  return pad(year % 100, 2) + pad(month + added, 2) + pad(day, 2);
}

export function withPeselCheckDigit(front: string): string {
  const weights = '1379137913';
  const sum = [...front].reduce((total, each, at) => total + Number(each) * Number(weights[at]), 0);
  return front + String((1000 - sum) % 10);
}

/** PESELs of the five centuries, with many leap days and ends of months. */
export function pesel(): fc.Arbitrary<string> {
  const day = fc
    .integer({ min: 0, max: (Date.UTC(2300, 0, 1) - Date.UTC(1800, 0, 1)) / 86_400_000 - 1 })
    .map((days) => new Date(Date.UTC(1800, 0, 1 + days)))
    .map((date) => [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const);
  const leapDays = ([1804, 1896, 1904, 2000, 2024, 2104, 2296] as const).map(
    (year) => [year, 2, 29] as const,
  );
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: day }, fc.constantFrom(...leapDays)), fc.nat(9999))
    .map(([[year, month, date], serial]) =>
      withPeselCheckDigit(peselDate(year, month, date) + pad(serial, 4)),
    );
}

/** The remainder that must be the tenth digit of a NIP: 10 is never given out. */
export function nipRemainder(front: string): number {
  const weights = '657234567';
  return [...front].reduce((sum, each, at) => sum + Number(each) * Number(weights[at]), 0) % 11;
}

const nipFront = fc.string({ unit: fc.constantFrom(...digits), minLength: 9, maxLength: 9 });

/** NIPs of ten digits, without hyphens. */
export function nipDigits(): fc.Arbitrary<string> {
  return nipFront
    .filter((front) => nipRemainder(front) < 10)
    .map((front) => front + String(nipRemainder(front)));
}

/** Nine digits without a valid tenth. */
export function nipFrontWithoutCheckDigit(): fc.Arbitrary<string> {
  return nipFront.filter((front) => nipRemainder(front) === 10);
}

/** A NIP in each of its spellings. */
export function nipForms(nip: string): [string, string, string] {
  return [
    nip,
    nip.replace(/^(...)(...)(..)(..)$/, '$1-$2-$3-$4'),
    nip.replace(/^(...)(..)(..)(...)$/, '$1-$2-$3-$4'),
  ];
}

export function nip(): fc.Arbitrary<string> {
  return nipDigits().chain((each) => fc.constantFrom(...nipForms(each)));
}

/** The White_Space characters of Unicode (PropList.txt), by number. */
export const whiteSpace = [
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
].map((point) => String.fromCodePoint(point));
