import { formatMoney, fromMinorUnits, parseMoney } from 'dealwright';

/** The currencies that the provider does not count in hundredths, from its documentation. */
const whole = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
const thousandths = 'BHD JOD KWD OMR TND';

/** How many units of the provider a unit of a currency has. */
function unitsOf(currency: string): bigint {
  const code = currency.toUpperCase();
  if (whole.split(' ').includes(code)) return 1n;
  return thousandths.split(' ').includes(code) ? 1000n : 100n;
}

/** An amount as the provider counts it; nothing if the provider cannot express it. */
export function toProvider(amount: string, currency: string): number | undefined {
  const hundredths = parseMoney(amount);
  if (hundredths === undefined) return undefined;
  const units = hundredths * unitsOf(currency);
  const result = Number(units / 100n);
  return units % 100n === 0n && Number.isSafeInteger(result) ? result : undefined;
}

/** An amount of the provider as a deal has it; nothing if a deal cannot have it. */
export function fromProvider(amount: number, currency: string): string | undefined {
  const hundredths = BigInt(amount) * 100n;
  const units = unitsOf(currency);
  return hundredths % units === 0n ? formatMoney(fromMinorUnits(hundredths / units)) : undefined;
}
