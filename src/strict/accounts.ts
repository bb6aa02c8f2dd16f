import { getCountrySpecifications } from 'ibantools';
import * as v from 'valibot';
import { countryCodes } from '../domain/values/codes.js';
import { rule } from '../domain/values/rule.js';

interface IbanFormat {
  readonly length: number;
  readonly bban: RegExp;
}

/**
 * Differences of ibantools 4.5 from the IBAN Registry (ISO 13616). It is stricter than the registry
 * for BY and DO (bank code `4!c`), PK (account `16!c`) and PS (account `21!c`), and would refuse
 * accounts that exist; it is looser for GE, IE, PK, PS, VG (bank code of letters only) and TR
 * (a reserved digit).
 */
const registry: Readonly<Record<string, RegExp>> = {
  BY: /^[A-Z0-9]{4}[0-9]{4}[A-Z0-9]{16}$/,
  DO: /^[A-Z0-9]{4}[0-9]{20}$/,
  GE: /^[A-Z]{2}[0-9]{16}$/,
  IE: /^[A-Z]{4}[0-9]{14}$/,
  PK: /^[A-Z]{4}[A-Z0-9]{16}$/,
  PS: /^[A-Z]{4}[A-Z0-9]{21}$/,
  TR: /^[0-9]{6}[A-Z0-9]{16}$/,
  VG: /^[A-Z]{4}[0-9]{16}$/,
};

/**
 * Territories that ibantools treats as countries, and the registry as parts of FR and FI: no IBAN
 * begins with their codes, so one that does is made up.
 */
const partsOfOthers: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'AX BL GF GP MF MQ NC PF PM RE TF WF YT'.split(' '),
);

/**
 * The formats by country. ibantools also has those of some twenty countries whose banks use numbers
 * in IBAN form without being in the registry (AO, DZ, MA, SN ...): they are accepted, because payouts
 * go there. Its flag `IBANRegistry` is wrong for some (BI, DJ, FK, HN, MR, NE), and not read.
 */
const formats: ReadonlyMap<string, IbanFormat> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(/* @__PURE__ */ getCountrySpecifications()).flatMap(
    ([country, { chars, bban_regexp }]) =>
      chars === null || bban_regexp === null || partsOfOthers.has(country)
        ? []
        : [[country, { length: chars, bban: registry[country] ?? new RegExp(bban_regexp) }]],
  ),
);

function formatOf(value: string): IbanFormat | undefined {
  return formats.get(value.slice(0, 2));
}

function hasFormat(value: string): boolean {
  // 98 less a remainder of 97: the pairs 00, 01 and 99 are never computed, though they may pass the
  // division
  return (
    /^(?:0[2-9]|[1-8][0-9]|9[0-8])$/.test(value.slice(2, 4)) &&
    formatOf(value)?.bban.test(value.slice(4)) === true
  );
}

/** ISO 7064, MOD 97-10: letters count from 10, and the first four characters go to the end. */
function hasChecksum(value: string): boolean {
  let remainder = 0;
  for (const character of value.slice(4) + value.slice(0, 4)) {
    const figure = Number.parseInt(character, 36);
    remainder = (remainder * (figure > 9 ? 100 : 10) + figure) % 97;
  }
  return remainder === 1;
}

/**
 * An IBAN in its electronic form (ISO 13616): a country that has one, its length, its BBAN format,
 * and the check digits. The library gives only the table: its own verdict adds the national check
 * digits of sixteen countries, which the standard leaves to the banks, and does not compute the
 * check digits of a number whose format it (rightly or wrongly) refuses.
 *
 * @internal
 */
export function iban() {
  return v.pipe(
    v.string(),
    rule('iban_unknown_country', (value: string) => formatOf(value) !== undefined, {}),
    rule('iban_wrong_length', (value: string) => formatOf(value)?.length === value.length, {}),
    rule('iban_wrong_format', hasFormat, {}),
    rule('iban_wrong_checksum', hasChecksum, {}),
  );
}

/**
 * The form of ISO 9362:2014 and later, which ISO 20022 writes as `BICFIDec2014Identifier`. ibantools
 * differs on two points: it takes lower case, and it refuses a digit among the first four
 * characters, which the standard has allowed since 2014.
 */
const form = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/**
 * A BIC: 8 or 11 characters, with a country of ISO 3166-1 (or XK) in its middle.
 *
 * @internal
 */
export function bic() {
  return v.pipe(
    v.string(),
    rule('bic_wrong_length', (value: string) => value.length === 8 || value.length === 11, {}),
    rule(
      'bic_wrong_format',
      (value: string) => form.test(value) && countryCodes.has(value.slice(4, 6)),
      {},
    ),
  );
}
