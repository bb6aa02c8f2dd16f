import { type Lifecycle, legalCommands, lifecycle } from 'dealwright/life';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLegal } from '../../src/domain/life/legal.js';
import { act, dice } from './actions.js';
import { allActors, Run } from './run.js';
import { shapes } from './states.js';

const table: Lifecycle = lifecycle;
const lives = fc.array(dice, { minLength: 10, maxLength: 40, size: 'max' });

test('the table of legal commands says of every deal what its life cycle says', () => {
  // one for all deals, as in a marketplace
  const legal = createLegal(table);
  fc.assert(
    fc.property(shapes, lives, (shape, all) => {
      const run = new Run(shape);
      for (const each of all) {
        act(run, each);
        for (const actor of allActors) {
          expect(legal(run.state, actor).legal).toEqual(legalCommands(table, run.state, actor));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('each situation is judged once', () => {
  let judged = 0;
  const rows = table.map((rule) => ({
    ...rule,
    get from() {
      judged += 1;
      return rule.from;
    },
  }));
  const legal = createLegal(rows);
  const { state } = new Run({
    ...{ version: '2.0', mode: 'invoice', budgets: [100n], expires: true },
    ...{ employerFee: 0n, contractorFee: 0n },
  });
  const first = legal(state, 'partner');
  const count = judged;
  expect(count).toBeGreaterThan(0);
  expect(legal({ ...state, deal: { ...state.deal, title: 'Another' } }, 'partner')).toBe(first);
  expect(judged).toBe(count);
  legal(state, 'freelancer');
  expect(judged).toBeGreaterThan(count);
});

test('a host may add a command that depends on the stages', () => {
  const own = { command: 'praise', by: ['partner'], from: ['accepted', 'delivered'] } as const;
  const rows: Lifecycle = [...table, { ...own, stage: { from: ['approved'], to: 'approved' } }];
  const legal = createLegal(rows);
  const { state } = new Run({
    ...{ version: '2.0', mode: 'invoice', budgets: [100n], expires: true },
    ...{ employerFee: 0n, contractorFee: 0n },
  });
  const of = (status: 'approved' | 'pending') => ({
    ...state,
    deal: { ...state.deal, status: 'accepted' as const },
    stage: state.stage.map((each) => ({ ...each, status })),
  });
  expect(legal(of('pending'), 'partner').legal).not.toContain('praise');
  expect(legal(of('approved'), 'partner').legal).toContain('praise');
});
