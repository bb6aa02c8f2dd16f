import type { Wish } from './model-rules.js';
import type { Amendment, Changes, Model } from './model-state.js';
import { largest, type Shape, sumOf, unitOf } from './states.js';

/** The changes with each amount as this makes it. */
function changesWith(changes: Changes, of: (amount: bigint) => bigint): Changes {
  if (typeof changes === 'bigint') return of(changes);
  const { amount, stages, ...others }: Amendment = changes;
  return {
    ...others,
    ...(amount !== undefined && { amount: of(amount) }),
    ...(stages !== undefined && {
      stages: stages.map(({ budget, ...each }) => ({
        ...each,
        ...(budget !== undefined && { budget: of(budget) }),
      })),
    }),
  };
}

/** The command with each amount that it gives as this makes it. */
export function wishWith(wish: Wish, of: (amount: bigint) => bigint): Wish {
  const { agreed, amount, bonus, changes, report } = wish;
  return {
    ...wish,
    ...(agreed !== undefined && { agreed: of(agreed) }),
    ...(amount !== undefined && { amount: of(amount) }),
    ...(bonus !== undefined && { bonus: of(bonus) }),
    ...(changes !== undefined && { changes: changesWith(changes, of) }),
    ...(report?.amount !== undefined && { report: { ...report, amount: of(report.amount) } }),
  };
}

/** Whether a deal is given whole units alone: not if it has had finer money from its start (10.13). */
export const isWhole = (shape: Shape): boolean =>
  shape.wholeUnits === true && sumOf(shape.budgets) % unitOf(shape) === 0n;

/** What every amount of a deal is a multiple of. */
export const wholeUnit = (shape: Shape): bigint => (isWhole(shape) ? unitOf(shape) : 1n);

/** 10.13: whether a command gives money that the currency has no unit for, where that is refused. */
export function isTooFine({ shape }: Model, wish: Wish): boolean {
  let found = false;
  wishWith(wish, (amount) => {
    found ||= amount % wholeUnit(shape) !== 0n;
    return amount;
  });
  return found;
}

/** The command with whole units, as most of those are whose deal has to have them. */
export function mostlyWhole({ shape }: Model, wish: Wish, by: number): Wish {
  const unit = wholeUnit(shape);
  if (unit === 1n || by % 6 === 0) return wish;
  return wishWith(wish, (amount) => {
    const rest = amount % unit;
    // up, so that something is left, but for what then had too many digits
    return rest > 0n && amount < largest - unit ? amount - rest + unit : amount - rest;
  });
}
