import { countryCodes, currencyCodes, defaultValueSets, interfaceProfile } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { currenciesInUse, currenciesOut, interfaceCountries } from './code-lists.js';
import { contractorBody } from './field-tables.js';

const { parseContractor } = interfaceProfile(defaultValueSets);
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

/** The codes of the issues of a body with this member changed. */
const codesOf = (change: object): readonly string[] =>
  parseContractor({ ...contractorBody, ...change }).match(
    () => [],
    (findings) => findings.map(({ code }) => code),
  );

describe('country codes', () => {
  it("are the interface's 250: all of ISO 3166-1, and XK", () => {
    expect(interfaceCountries).toHaveLength(250);
    expect([...countryCodes]).toEqual(interfaceCountries);
  });

  it('are taken; each of the other combinations of two letters is refused', () => {
    const taken = pairs.filter((pair) => codesOf({ country_code: pair }).length === 0);
    expect(taken).toEqual(interfaceCountries);
    for (const pair of pairs) {
      expect(codesOf({ country_code: pair.toLowerCase() })).toEqual(['unknown_country']);
    }
  });
});

describe('currency codes', () => {
  it('are those of ISO 4217 in use on 2026-01-01', () => {
    expect([...currencyCodes]).toEqual(currenciesInUse);
    expect(currenciesInUse).toHaveLength(new Set(currenciesInUse).size);
  });

  it('are taken; each other combination of three letters is refused', () => {
    const triples = pairs.flatMap((pair) => letters.map((letter) => pair + letter));
    const taken = triples.filter(
      (triple) => codesOf({ bank_account_currency: triple }).length === 0,
    );
    expect(taken).toEqual([...currenciesInUse].sort());
  });

  it.each(['XCG', 'ZWG', 'SLE'])('take %s, which came lately', (code) => {
    expect(codesOf({ bank_account_currency: code })).toEqual([]);
  });

  it.each(currenciesOut)('refuse %s', (code) => {
    expect(codesOf({ bank_account_currency: code })).toEqual(['unknown_currency']);
  });
});
