import { type Lifecycle, lifecycle } from 'dealwright/life';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { act, dice } from './actions.js';
import { hostLifecycle } from './host.js';
import { Run } from './run.js';
import { shapes } from './states.js';
import { deadEnds, leavesFinal, stuck, unreachable, waysOf } from './tables.js';

const finals = ['completed', 'cancelled', 'expired'];
const ours = [
  'created',
  'accepted',
  'delivered',
  'changes_requested',
  'approved',
  'disputed',
  ...finals,
];
const tables: readonly [string, Lifecycle, readonly string[]][] = [
  ['our table', lifecycle, ours],
  ['the table of a host with a state of its own', hostLifecycle, [...ours, 'on_hold']],
];

describe.each(tables)('%s', (_, table, states) => {
  test('has the states that are written down', () => {
    expect([...waysOf(table).states].sort()).toEqual([...states].sort());
  });
  test('leads from every state to an end', () => {
    expect(deadEnds(table, finals)).toEqual([]);
  });
  test('leads to every state', () => {
    expect(unreachable(table, 'created')).toEqual([]);
  });
  test('leaves no final state', () => {
    expect(leavesFinal(table, finals)).toEqual([]);
  });
  test('leaves no deal to the clock alone', () => {
    expect(stuck(table, finals)).toEqual([]);
  });
});

test('the checks find what is wrong with a table', () => {
  const row = (command: string, from: string, to: string) =>
    ({ command, by: ['operator'], from: [from], to }) as const;
  expect(deadEnds([...lifecycle, row('bury', 'accepted', 'buried')], finals)).toEqual(['buried']);
  expect(unreachable([...lifecycle, row('dig', 'buried', 'accepted')], 'created')).toEqual([
    'buried',
  ]);
  expect(leavesFinal([...lifecycle, row('revive', 'expired', 'created')], finals)).toEqual([
    'revive',
  ]);
  expect(stuck([...lifecycle, row('bury', 'accepted', 'buried')], finals)).toEqual(['buried']);
});

test('random runs carry out every row of the table', () => {
  const carriedOut = new Set<string>();
  const property = fc.property(
    shapes,
    fc.array(dice, { maxLength: 80, size: 'max' }),
    (shape, all) => {
      const run = new Run(shape, ({ name, actor }, { kind }) => {
        if (kind === 'done') carriedOut.add(`${name} by ${actor}`);
      });
      for (const each of all) act(run, each);
    },
  );
  fc.assert(property, { seed: 6, numRuns: 400, endOnFailure: true });
  const rows = lifecycle.flatMap(({ command, by }) => by.map((actor) => `${command} by ${actor}`));
  expect(rows.filter((each) => !carriedOut.has(each))).toEqual([]);
});
