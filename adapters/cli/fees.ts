import { type FeePolicy, formatMoney, fromMinorUnits, type Money, parseMoney } from 'dealwright';
import { err, ok, type Result } from 'neverthrow';

/** All of an amount, in hundredths of a per cent. */
const whole = 10_000n;

/**
 * The fees of `<employer>,<contractor>` in per cent of an amount, down to the cent; the core takes
 * them down to the unit of the currency.
 */
export function parseFees(text: string | undefined): Result<FeePolicy | undefined, string> {
  if (text === undefined) return ok(undefined);
  const [employer, contractor, ...others] = text.split(',').map(rateOf);
  if (employer === undefined || contractor === undefined || others.length > 0) {
    return err(
      "DEALWRIGHT_FEES takes the employer's fee and the contractor's in per cent, 0 to 100 with at most two decimals, such as 2.5,10",
    );
  }
  return ok(({ amount }) => ({
    employer_fee: shareOf(amount, employer),
    contractor_fee: shareOf(amount, contractor),
  }));
}

function rateOf(text: string): Money | undefined {
  const rate = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? parseMoney(text) : undefined;
  return rate !== undefined && rate <= whole ? rate : undefined;
}

function shareOf(amount: string, rate: Money): string {
  const money = parseMoney(amount) ?? 0n;
  return formatMoney(fromMinorUnits(money > 0n ? (money * rate) / whole : 0n));
}

/** What an employer may pay less or more than it owes, as a decimal. */
export function parseTolerance(text: string | undefined): Result<string | undefined, string> {
  const isAmount = text === undefined || (parseMoney(text) ?? -1n) >= 0n;
  return isAmount
    ? ok(text)
    : err('DEALWRIGHT_TOLERANCE takes an amount of 0 or more, such as 1.00');
}
