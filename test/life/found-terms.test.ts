import { describe, expect, test } from 'vitest';
import {
  accept,
  approve,
  asked,
  base,
  came,
  cancel,
  deliver,
  dispute,
  ofEmployer,
  payout,
  request,
  resolve,
  toPayout,
  two,
} from './found-steps.js';
import type { Wish } from './model-rules.js';
import { Run } from './run.js';
import { day, type Shape } from './states.js';

const propose = (actor: string, changes: Wish['changes'] & object): Wish => ({
  name: 'propose',
  actor,
  changes,
});
const agree = (proposal: number, actor = 'freelancer'): Wish => ({
  name: 'accept-proposal',
  actor,
  proposal,
  hash: 'right',
});
const settled = (agreed: bigint): Wish => ({ name: 'propose', actor: 'partner', changes: agreed });
const bonus = (amount: bigint): Wish => ({ name: 'add-bonus', actor: 'partner', bonus: amount });
const tell = (payment: number, status: string, reference: string, amount?: bigint): Wish =>
  ofEmployer({ payment, status, reference, ...(amount !== undefined && { amount }) });
const prepaid = { mode: 'prepaid' } as const;

/** Changes of the terms: what runs of section 9 have found. */
const ofTerms: readonly [string, Partial<Shape>, readonly (Wish | number)[]][] = [
  [
    'a settlement asks for the fees of what the deal is worth then, without the payouts it replaces',
    { budgets: [49_998n], employerFee: 999n, percent: { employer: 2, contractor: 3 } },
    [...toPayout, settled(25_000n), agree(0)],
  ],
  [
    'a settlement asks for its fees as it is accepted, not as it was proposed',
    { budgets: [1_000n, 1_000n], percent: { employer: 0, contractor: 4 } },
    [
      ...[accept, 101, { ...deliver, stage: 101 }, { ...approve, stage: 101 }, asked('paid', 'e1')],
      ...[settled(900n), payout('paid', 'c1'), agree(0)],
    ],
  ],
  [
    'a refund of what came late waits for the operator once it has failed, and is not made anew',
    { ...prepaid, budgets: [2n] },
    [
      ...[propose('freelancer', { amount: 1n }), { ...accept, hash: 'right' as const }],
      ...[tell(0, 'processing', 'm0'), agree(0, 'partner'), tell(0, 'paid', 'p1', 2n)],
      tell(0, 'refund_failed', 'r1'),
    ],
  ],
  [
    'a refund whose report said that it had arrived waits once it has failed, and is not made anew',
    { ...prepaid, budgets: [400n] },
    [
      ...[accept, tell(0, 'processing', 'm0')],
      ...[propose('freelancer', { amount: 300n }), agree(0, 'partner')],
      ...[tell(0, 'partially_refunded', 'r1', 100n), tell(0, 'refund_failed', 'r1')],
    ],
  ],
  [
    'a settlement for more lessens a refund that was not sent',
    { ...prepaid, budgets: [1n, 272n] },
    [
      ...[accept, tell(0, 'paid', 'm0')],
      ...[propose('partner', { stages: [{ id: 102 }] }), agree(0)],
      ...[settled(136n), agree(1), bonus(12n), settled(284n), agree(2)],
    ],
  ],
  [
    'a payout on its way keeps its fee, though another one has paid the stage meanwhile',
    { budgets: [10n], employerFee: 1n },
    [
      propose('freelancer', {
        stages: [
          { id: 101, budget: 70n },
          { name: 'Again', budget: 128n },
        ],
      }),
      ...[101, agree(0, 'partner'), { ...deliver, stage: 101 }, { ...approve, stage: 101 }],
      ...[tell(0, 'failed', 'm0'), request, tell(1, 'paid', 'm1'), dispute, resolve(1n)],
      ...[payout('processing', 'c1', 1), payout('paid', 'c0')],
    ],
  ],
  [
    'one request for the rest takes the place of one for too much, whatever was asked for before',
    { ...prepaid, budgets: [400n] },
    [
      ...[accept, asked('charged_back', 'b1')],
      ...[propose('partner', { stages: [{ id: 101 }, { name: 'More', budget: 270n }] }), agree(0)],
      ...[propose('partner', { stages: [{ name: 'Less', budget: 130n }] }), agree(1)],
    ],
  ],
  [
    'what is being paid counts as asked for, also where less of it is wanted',
    { ...prepaid, budgets: [400n, 60n] },
    [
      ...[accept, asked('processing', 'e1'), propose('freelancer', { stages: [{ id: 102 }] })],
      ...[agree(0, 'partner'), bonus(10n), asked('paid', 'e1')],
    ],
  ],
  [
    'what comes too much for a request that was being paid goes back at once',
    { ...prepaid, budgets: [400n, 60n] },
    [
      ...[accept, asked('processing', 'e1'), propose('freelancer', { stages: [{ id: 102 }] })],
      ...[agree(0, 'partner'), tell(0, 'paid', 'e1', 500n)],
    ],
  ],
  [
    'a rise lessens what is to be refunded, and asks for the rest',
    { ...prepaid, budgets: [100n] },
    [
      ...[accept, asked('paid', 'e1'), propose('partner', { amount: 60n }), agree(0)],
      ...[propose('partner', { amount: 80n }), agree(1)],
      ...[propose('partner', { amount: 120n }), agree(2)],
    ],
  ],
  [
    'a fall refunds what came before the deal was accepted',
    prepaid,
    [came(150n, 'e1'), propose('partner', { amount: 90n })],
  ],
  [
    'the seven days of changed work count where its days begin anew',
    prepaid,
    [
      ...[accept, propose('partner', { work_days: 0 }), agree(0), asked('charged_back', 'b1')],
      ...[request, tell(1, 'paid', 'e2')],
    ],
  ],
  [
    'an amendment before the acceptance gives seven days too',
    {},
    [propose('partner', { work_days: 2 }), { ...accept, hash: 'right' }],
  ],
  [
    'a resolution is no repeat once an amendment has added work',
    {},
    [
      ...[accept, settled(50n), agree(0)],
      ...[propose('partner', { stages: [{ id: 101 }, { name: 'More', budget: 5n }] })],
      ...[agree(1), resolve(50n)],
    ],
  ],
  [
    'an amendment takes the place of requests that ask for too much, also on an invoice',
    { budgets: [200n, 100n], employerFee: 90n },
    [
      ...[accept, 102, { ...deliver, stage: 102 }, { ...approve, stage: 102 }],
      ...[propose('partner', { stages: [{ id: 101, budget: 900n }, { id: 102 }] }), agree(0)],
    ],
  ],
  [
    'a bonus waits for all that is outstanding, and nothing waits for it',
    two,
    [
      ...[accept, bonus(30n), 101, { ...deliver, stage: 101 }, { ...approve, stage: 101 }],
      ...[tell(1, 'paid', 'e2'), asked('paid', 'e1')],
    ],
  ],
  [
    'a submitted stage that is changed goes back, and its files are superseded',
    two,
    [
      ...[accept, 101, 102, deliver],
      ...[propose('freelancer', { stages: [{ id: 101, budget: 70n }, { id: 102 }] })],
      agree(0, 'partner'),
    ],
  ],
  [
    'an amendment that leaves only paid stages completes the deal',
    two,
    [
      ...[accept, 101, { ...deliver, stage: 101 }, { ...approve, stage: 101 }],
      ...[asked('paid', 'e1'), payout('paid', 'c1')],
      ...[propose('partner', { stages: [{ id: 101 }] }), agree(0)],
    ],
  ],
];

describe('a proposal whose time is over', () => {
  const shape: Shape = { ...base, version: '2.0' };
  const end: readonly [string, Wish][] = [
    ['another proposal', propose('partner', { title: 'Another deal' })],
    ['a bonus', bonus(5n)],
    ['the end of the deal', cancel],
  ];
  test.each(end)('has expired, though no timer has run, before %s', (_, wish) => {
    const run = new Run(shape);
    run.step(accept);
    run.step(propose('freelancer', { title: 'A better deal' }));
    run.wait(15 * day);
    run.step(agree(0, 'partner'));
    run.step(wish);
    expect(run.model.proposals[0]?.status).toBe('expired');
  });
});

test('a stage is overdue once for each due date, and seven days later the partner leaves', () => {
  const run = new Run({ ...base, mode: 'prepaid' });
  const leave: Wish = { name: 'cancel', actor: 'partner' };
  for (const step of [accept, asked('paid', 'e1'), leave]) run.step(step);
  run.pass(29 * day);
  run.step(leave);
  run.pass(day);
  run.step(leave);
  // more days are another due date
  run.step(propose('partner', { work_days: 33 }));
  run.step(agree(0));
  run.pass(7 * day);
  expect(run.told.filter((line) => line.includes('tell-overdue'))).toHaveLength(2);
  run.step(leave);
  run.pass(7 * day);
  expect(run.step(leave).kind).toBe('done');
});

test('a deal has a hundred stages that are not cancelled at most', () => {
  const run = new Run(base);
  run.step(accept);
  const stages = Array.from({ length: 99 }, (_, at) => ({ name: `More ${at}`, budget: 1n }));
  run.step(propose('partner', { stages: [{ id: 101 }, ...stages] }));
  run.step(agree(0));
  expect(run.step(bonus(5n))).toEqual({ kind: 'refused', reasons: ['too_many'] });
});

describe('what was found once about terms', () => {
  test.each(ofTerms)('%s', (_, shape, steps) => {
    const run = new Run({ ...base, ...shape });
    for (const step of steps) typeof step === 'number' ? run.upload(step) : run.step(step);
  });
});
