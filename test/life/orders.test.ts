import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDice } from '../faults/dice.js';
import { seed } from '../kit/seed.js';
import { act, dice } from './actions.js';
import type { Report } from './model-money.js';
import { came, figures, type Model } from './model-state.js';
import { Run, show } from './run.js';
import { shapes } from './states.js';

interface Told {
  readonly kind: 'employer' | 'contractor';
  readonly report: Report;
  readonly at: number;
}

/** The possible reports of a bank about these payments: each once, in no order. */
function reportsOf(model: Model, by: number): readonly Told[] {
  const dice = createDice(by);
  const told: Told[] = [];
  const tell = (kind: Told['kind'], report: Report, at = dice.below(1_000)) =>
    told.push({ kind, report, at });
  for (const [payment, each] of model.incoming.entries()) {
    const known = came(each) > 0n ? came(each) : each.asked;
    const amount = known > 0n ? known : 100n;
    const report = (status: string, reference: string, of?: bigint): Report => ({
      ...{ payment, status, reference },
      ...(of !== undefined && of > 0n && { amount: of }),
    });
    if (dice.isBelow(60)) tell('employer', report('paid', 'p1', amount));
    // without an amount, it is of what is left so far, which depends on the order
    const half = (amount + 1n) / 2n;
    if (dice.isBelow(30)) {
      tell('employer', report('charged_back', 'b1', half));
      // while another charge-back is known, a won one is of that
      if (dice.isBelow(50) && each.disputes.size === 0)
        tell('employer', report('charge_back_reversed', 'b1', (amount + 3n) / 4n));
    }
    const third = (amount + 2n) / 3n;
    if (dice.isBelow(30)) tell('employer', report('refunded', 'r1', third));
    const part = dice.isBelow(50) ? (third + 1n) / 2n : third;
    if (dice.isBelow(25)) tell('employer', report('refund_failed', 'r1', part));
  }
  for (const payment of model.payouts.keys()) {
    const report = (status: string): Report => ({ payment, status, reference: 'c1' });
    if (!dice.isBelow(60)) continue;
    const at = dice.below(1_000);
    tell('contractor', report('paid'), at);
    // the one pair whose order counts
    if (dice.isBelow(30)) tell('contractor', report('returned'), at + 1 + dice.below(300));
  }
  return told;
}

const inOrder = (told: readonly Told[]) => [...told].sort((a, b) => a.at - b.at);

/** The same reports in another order, except for a payout and its return. */
function otherwise(told: readonly Told[], by: number): readonly Told[] {
  const dice = createDice(by);
  const shuffled = told.map((each) => ({ ...each, at: dice.below(1_000) }));
  const paid = new Map(
    shuffled.flatMap(({ kind, report, at }) =>
      kind === 'contractor' && report.status === 'paid' ? [[report.payment, at] as const] : [],
    ),
  );
  return inOrder(
    shuffled.map((each) =>
      each.report.status === 'returned'
        ? { ...each, at: (paid.get(each.report.payment) ?? 0) + 0.5 }
        : each,
    ),
  );
}

test('two orders of the same reports end with the same figures', () => {
  let compared = 0;
  const property = fc.property(
    // what is tolerated depends on what came before
    shapes.map((shape) => ({ ...shape, tolerance: 0n })),
    fc.array(dice, { maxLength: 40, size: 'max' }),
    fc.nat(1_000_000),
    fc.nat(1_000_000),
    (shape, all, one, other) => {
      const runs = [0, 1].map(() => {
        const run = new Run(shape);
        for (const each of all) act(run, each);
        return run;
      });
      const [first, second] = runs as [Run, Run];
      const told = reportsOf(first.model, one);
      const tellAll = (run: Run, reports: readonly Told[]) =>
        reports.every(({ kind, report }) => {
          const name = `record-${kind}-payment`;
          return run.step({ name, actor: 'payments', report }).kind !== 'refused';
        });
      // a refused report is sent again later: then the reports differ
      const isTold = [tellAll(first, inOrder(told)), tellAll(second, otherwise(told, other))];
      if (isTold.includes(false)) return;
      // the books themselves pay a stage that is all fee, as soon as its price is held
      if (first.model.bare.length + second.model.bare.length > 0) return;
      // what is held on top of what came depends on the payouts that are planned
      if (first.model.writtenOff > 0n) return;
      compared += told.length > 1 ? 1 : 0;
      const [a, b] = [figures(first.model), figures(second.model)];
      if (show(a) !== show(b))
        first.fail(`${show(a)}; in another order ${show(b)}:\n${second.told.join('\n')}`);
    },
  );
  fc.assert(property, { numRuns: 600, seed, interruptAfterTimeLimit: 60_000 });
  console.info(`${compared} orders, seed ${seed}`);
  expect(compared).toBeGreaterThan(20);
});
