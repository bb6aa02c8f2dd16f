import {
  type DealState,
  describeStates,
  drawStates,
  dueCommand,
  type Lifecycle,
  type LifeStates,
  lifecycle,
} from 'dealwright/life';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { act, dice } from './actions.js';
import { hostLifecycle } from './host.js';
import { proposalCommands } from './model-proposals.js';
import type { Wish } from './model-rules.js';
import { commands, Run } from './run.js';
import { one } from './situations.js';
import { instant, type Shape, shapes } from './states.js';

type Kind = keyof LifeStates;
const states = describeStates(lifecycle);
const kinds = Object.keys(states) as Kind[];
const all: readonly string[] = [...commands, ...proposalCommands];
const isCommand = (by: string) => all.includes(by);

/** The rows of a kind by id, with their states. */
function statusesOf(state: DealState, kind: Kind): ReadonlyMap<unknown, string> {
  return new Map([state[kind]].flat().map((row) => ['id' in row ? row.id : '', row.status]));
}

/**
 * Says whether a command can lead from one state to another: by its own move, and by moves that
 * follow without a command. A report that undoes an unfinished payment makes two moves, and so does
 * one of a payout that came back before.
 */
function isDrawn(drawn: LifeStates, kind: Kind, [from, to, by]: readonly string[]): boolean {
  const own = kind.endsWith('_payment') ? 2 : 1;
  const reached = [{ state: from, left: own }];
  for (const { state, left } of reached) {
    for (const move of drawn[kind].moves.filter((each) => each.from === state)) {
      // a move that is not by commands alone follows by itself
      if (!move.by.every(isCommand)) reached.push({ state: move.to, left });
      else if (left > 0 && move.by.some((each) => each === by)) {
        reached.push({ state: move.to, left: left - 1 });
      }
    }
  }
  return reached.some(({ state }) => state === to);
}

const accept: Wish = { name: 'accept', actor: 'freelancer' };
const deliver = (stage: number): Wish => ({ name: 'deliver', actor: 'freelancer', stage });
const sendBack: Wish = { name: 'request-changes', actor: 'partner', stage: 102 };
/** The first stage alone stays. */
const drop: readonly Wish[] = [
  { name: 'propose', actor: 'partner', changes: { stages: [{ id: 101 }] } },
  { name: 'accept-proposal', actor: 'freelancer', proposal: 0, hash: 'right' },
];
const ofPayout = (status: string, reference: string): Wish => ({
  name: 'record-contractor-payment',
  actor: 'payments',
  report: { payment: 0, status, reference },
});
const report = { payment: 0, status: 'paid', reference: 'r' };
const paid: readonly (Wish | number)[] = [
  ...[accept, 101, deliver(101), { name: 'approve', actor: 'partner' }],
  { name: 'record-employer-payment', actor: 'payments', report },
  { name: 'record-contractor-payment', actor: 'payments', report },
];
const sentAgain: readonly (Wish | number)[] = [
  ...paid.slice(0, -1),
  ...[ofPayout('failed', 'a'), { name: 'retry-payout', actor: 'operator' }],
];
/** Amendments that leave only stages that are further than the deal; attempts of a payout. */
const rare: readonly (readonly (Wish | number)[])[] = [
  [accept, 101, deliver(101), ...drop],
  [accept, 101, 102, deliver(101), deliver(102), sendBack, ...drop],
  [...sentAgain, ofPayout('processing', 'b'), ofPayout('paid', 'a'), ofPayout('returned', 'a')],
  [...sentAgain, ofPayout('paid', 'b'), ofPayout('returned', 'b'), ofPayout('paid', 'a')],
  [...paid, 102, deliver(102), ...drop],
  [...paid, 102, deliver(102), sendBack, ...drop],
];

describe('the states of our table, against random runs', () => {
  const seen = new Map<string, readonly [Kind, readonly string[]]>();
  /** A run whose moves are noted. */
  const noting = (shape: Shape): Run => {
    let before: DealState | undefined;
    const run: Run = new Run(shape, ({ name, actor }) => {
      // 10.15: a command may do what the clock had to do before it
      const isLate = dueCommand(lifecycle, before ?? run.state, instant(run.now)) !== undefined;
      for (const kind of isLate && actor !== 'clock' ? [] : kinds) {
        const after = statusesOf(run.state, kind);
        for (const [id, from] of statusesOf(before ?? run.state, kind)) {
          const move = [from, after.get(id) ?? '', name];
          if (move[0] !== move[1]) seen.set(`${kind}: ${move.join(' ')}`, [kind, move]);
        }
      }
      before = run.state;
    });
    before = run.state;
    return run;
  };
  beforeAll(() => {
    const property = fc.property(
      shapes,
      fc.array(dice, { maxLength: 80, size: 'max' }),
      (shape, all) => {
        const run = noting(shape);
        for (const each of all) act(run, each);
      },
    );
    fc.assert(property, { seed: 8, numRuns: 2000, endOnFailure: true });
    for (const steps of rare) {
      const run = noting({ ...one, version: '1.0', budgets: [100n, 100n] });
      for (const step of steps) typeof step === 'number' ? run.upload(step) : run.step(step);
    }
  });

  test('every move that is made is drawn', () => {
    const undrawn = [...seen].filter(([, [kind, move]]) => !isDrawn(states, kind, move));
    expect(undrawn.map(([name]) => name)).toEqual([]);
  });

  test.each(kinds)('every move of a %s that is drawn is made', (kind) => {
    const drawn = states[kind].moves
      .filter(({ from, to }) => from !== to)
      .flatMap(({ from, to, by }) => by.filter(isCommand).map((each) => [from, to, each]));
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn.filter((move) => !seen.has(`${kind}: ${move.join(' ')}`))).toEqual([]);
  });

  test('a move that a table lacks is found', () => {
    const rows: Lifecycle = lifecycle;
    const others = describeStates(rows.filter(({ command }) => command !== 'dispute'));
    expect(seen.has('deal: accepted disputed dispute')).toBe(true);
    expect(isDrawn(others, 'deal', ['accepted', 'disputed', 'dispute'])).toBe(false);
    expect(isDrawn(states, 'deal', ['accepted', 'completed', 'approve'])).toBe(false);
  });
});

const working = ['created', 'accepted', 'delivered', 'changes_requested', 'approved', 'disputed'];
const written: Readonly<Record<Kind, { all: readonly string[]; ends: readonly string[] }>> = {
  deal: {
    all: [...working, 'completed', 'cancelled', 'expired'],
    ends: ['completed', 'cancelled', 'expired'],
  },
  stage: {
    all: ['pending', 'submitted', 'changes_requested', 'approved', 'paid', 'cancelled'],
    ends: ['paid', 'cancelled'],
  },
  employer_payment: {
    all: [
      ...['requested', 'processing', 'paid', 'failed', 'expired'],
      ...['partially_refunded', 'refunded', 'charged_back'],
    ],
    ends: [],
  },
  contractor_payment: {
    all: ['scheduled', 'processing', 'paid', 'failed', 'returned', 'cancelled'],
    ends: [],
  },
};

describe.each(kinds)('the diagram of a %s', (kind) => {
  const [head, ...lines] = drawStates(lifecycle)[kind].trimEnd().split('\n');
  const arrows = lines.map((line) => /^ {2}(\S+) --> (\S+)(?: : [\w, -]+)?$/.exec(line));

  test('is a state diagram of Mermaid, an arrow a line', () => {
    expect(head).toBe('stateDiagram-v2');
    expect(lines.filter((_, at) => arrows[at] === null)).toEqual([]);
  });

  test('has every state and no other, one start, and the ends', () => {
    const named = new Set(arrows.flatMap((arrow) => arrow?.slice(1, 3) ?? []));
    expect([...named].sort()).toEqual(['[*]', ...written[kind].all].sort());
    const starts = arrows.filter((arrow) => arrow?.[1] === '[*]');
    expect(starts.map((arrow) => arrow?.[2])).toEqual([states[kind].start]);
    const ends = arrows.filter((arrow) => arrow?.[2] === '[*]').map((arrow) => arrow?.[1]);
    expect(ends.sort()).toEqual([...written[kind].ends].sort());
  });
});

test('the table of a host is drawn with its own states', () => {
  const { deal } = drawStates(hostLifecycle);
  const own = deal.split('\n').filter((line) => line.includes('on_hold'));
  expect(own).toEqual([
    '  accepted --> on_hold : hold',
    '  on_hold --> accepted : resume',
    '  on_hold --> cancelled : cancel',
  ]);
});
