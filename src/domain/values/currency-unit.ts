import type { Finding } from './issues.js';

/**
 * The currencies that have not two decimals (ISO 4217, list one as of 2026-01-01), in any case of
 * ASCII letters: without the flag `u`, no other letter stands for one.
 */
const otherDecimals = [
  [0, /^(?:BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|XAF|XOF|XPF)$/i],
  [3, /^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/i],
  [4, /^(?:CLF|UYW)$/i],
] as const;

/**
 * The decimals that ISO 4217 gives a currency, whatever the case of its ASCII letters: 2 for a code
 * that it does not have. Money here has two decimals at most, so a currency of three is paid down to
 * 0.01 (decision 10.13).
 *
 * @example
 * ```ts
 * import { currencyDecimals } from 'dealwright';
 *
 * currencyDecimals('JPY'); // 0
 * currencyDecimals('kwd'); // 3
 * currencyDecimals('ABC'); // 2
 * ```
 */
export function currencyDecimals(currency: string): number {
  return otherDecimals.find(([, codes]) => codes.test(currency))?.[0] ?? 2;
}

/** The smallest amount of a currency that money here can have, in minor units of 1/100. */
export function unitOf(currency: string): bigint {
  return otherDecimals[0][1].test(currency) ? 100n : 1n;
}

/** An amount without what is less than a whole unit. */
export function wholeUnits(amount: bigint, unit: bigint): bigint {
  return amount - (amount % unit);
}

/** The amounts among the parsed members of an input that their currency has no unit for. */
export function tooFine(given: object, currency: string): readonly Finding<'too_fine'>[] {
  const unit = unitOf(currency);
  if (unit === 1n) return [];
  return Object.entries(given).flatMap(
    ([name, each]: [string, unknown]): readonly Finding<'too_fine'>[] => {
      if (typeof each === 'object' && each !== null) {
        return tooFine(each, currency).map((one) => ({ ...one, path: [name, ...one.path] }));
      }
      if (typeof each !== 'bigint' || each % unit === 0n) return [];
      return [{ path: [name], code: 'too_fine', params: { unit: '1.00' } }];
    },
  );
}
