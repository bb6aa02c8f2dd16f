import type { DealState, Moment } from '../payments/draft.js';
import { minorUnits } from '../payments/ledger.js';
import { membersOf } from '../records/stored.js';
import { tooFine, unitOf } from '../values/currency-unit.js';
import type { Finding } from '../values/issues.js';

/**
 * The money of a command or a proposal that its deal must not have (decision 10.13): finer than the
 * unit of its currency, under rules that refuse it. A deal that has such money already, from before
 * those rules, goes on as it is.
 */
export function finerMoney(
  state: DealState,
  given: object,
  { wholeUnits }: Pick<Moment, 'wholeUnits'>,
): readonly Finding<'too_fine'>[] {
  if (wholeUnits !== true) return [];
  const found = tooFine(given, state.deal.currency);
  return found.length > 0 && hasFiner(state) ? [] : found;
}

function hasFiner(state: DealState): boolean {
  const unit = unitOf(state.deal.currency);
  return (Object.keys(state) as (keyof DealState)[]).some((kind) => {
    const sums = Object.entries(membersOf(kind)).filter(([, { type }]) => type === 'money');
    return [state[kind]].flat().some((row) =>
      sums.some(([name]) => {
        const amount: unknown = Reflect.get(row, name);
        return typeof amount === 'string' && minorUnits(amount) % unit !== 0n;
      }),
    );
  });
}
