import * as v from 'valibot';
import { rule, textOfLength } from './rule.js';

/**
 * The 250 values of `country_code` (interface, Contractor): all of ISO 3166-1 alpha-2, and XK.
 *
 * @example
 * ```ts
 * import { countryCodes } from 'dealwright';
 *
 * countryCodes.has('PL'); // true
 * ```
 */
export const countryCodes: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO ' +
    'BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ ' +
    'DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP ' +
    'GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG ' +
    'KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML ' +
    'MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE ' +
    'PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL ' +
    'SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM ' +
    'US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
);

/**
 * A country of the list; the error does not repeat its 250 codes.
 *
 * @internal
 */
export function countryCode() {
  return v.pipe(
    v.string(),
    rule('unknown_country', (value: string) => countryCodes.has(value), {}),
  );
}

/**
 * The ISO 4217 codes in use (list one as of 2026-01-01, when Bulgaria's lev left it), funds and
 * metals included; without XXX (no currency) and XTS (testing), which no account can be held in.
 *
 * @example
 * ```ts
 * import { currencyCodes } from 'dealwright';
 *
 * currencyCodes.has('XCG'); // true: in use since 2025-03-31
 * currencyCodes.has('ANG'); // false: left with it
 * ```
 */
export const currencyCodes: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP ' +
    'BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ' +
    'ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK ' +
    'JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD ' +
    'MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP ' +
    'PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP ' +
    'SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV ' +
    'WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG'
  ).split(' '),
);

/**
 * Exactly three characters of any kind: a deal's currency (interface, Deal 1.0).
 *
 * @internal
 */
export function currencyText() {
  return textOfLength(3);
}

/**
 * A currency that is in use (interface, Contractor; decision 1.5).
 *
 * @internal
 */
export function currencyCode() {
  return v.pipe(v.string(), knownCurrency());
}

/**
 * The rule that a currency is in use.
 *
 * @internal
 */
export function knownCurrency() {
  return rule('unknown_currency', (value: string) => currencyCodes.has(value), {});
}
