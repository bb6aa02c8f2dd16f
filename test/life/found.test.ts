import { describe, test } from 'vitest';
import {
  accept,
  approve,
  asked,
  base,
  came,
  cancel,
  deliver,
  dispute,
  ofContractor,
  ofEmployer,
  payout,
  request,
  resolve,
  retry,
  toPayout,
  toPayouts,
  two,
} from './found-steps.js';
import type { Wish } from './model-rules.js';
import { Run } from './run.js';
import type { Shape } from './states.js';

/** The finds of random runs, step by step: a number is a file for that stage. */
const found: readonly [string, Partial<Shape>, readonly (Wish | number)[]][] = [
  [
    'a stage of zero is paid as it is approved, whoever waits before it',
    { budgets: [50n, 51n, 0n] },
    [accept, 101, deliver, approve, 103, deliver, approve],
  ],
  [
    'a pending refund goes with the money that is charged back',
    {},
    [accept, 101, deliver, approve, cancel, asked('paid', 'e1'), asked('charged_back', 'e2')],
  ],
  [
    'a dispute that is resolved says which stages moved',
    {},
    [accept, 101, deliver, dispute, resolve(100n)],
  ],
  [
    'an employer pays under a reference that a payout had',
    { budgets: [100n, 50n] },
    [accept, 101, deliver, approve, asked('paid', 'e1'), payout('paid', 'same'), came(50n, 'same')],
  ],
  [
    'a payout is paid under a reference that an employer had',
    {},
    [
      accept,
      101,
      deliver,
      approve,
      asked('paid', 'same'),
      ofContractor({ status: 'paid', reference: 'same' }),
      payout('paid', 'same'),
    ],
  ],
  [
    'fees are in proportion to what was agreed on',
    { budgets: [100n, 100n, 100n], contractorFee: 30n },
    [accept, came(500n, 'e1'), dispute, resolve(150n)],
  ],
  [
    'a payout that was called off is not sent again',
    {},
    [
      accept,
      101,
      deliver,
      approve,
      asked('paid', 'e1'),
      payout('failed', 'c1'),
      retry,
      dispute,
      retry,
    ],
  ],
  [
    'a fee that a late payout of a cancelled stage has posted is not posted again',
    { budgets: [20n, 30n], contractorFee: 5n },
    [
      accept,
      101,
      102,
      deliver,
      approve,
      asked('paid', 'e1'),
      dispute,
      resolve(20n),
      dispute,
      payout('paid', 'c2', 1),
      resolve(20n),
      came(50n, 'e9'),
    ],
  ],
  [
    'a fee does not wait for a stage that costs nothing',
    { budgets: [-1n, 1n, 13n], employerFee: 1n, contractorFee: 13n },
    [accept, 102, 103, deliver, approve],
  ],
  [
    'a late payout of an old amount does not lessen the next one',
    { mode: 'prepaid', budgets: [1n, 3n] },
    [
      accept,
      asked('paid', 'e1'),
      dispute,
      resolve(4n),
      dispute,
      asked('refunded', 'e2'),
      resolve(2n),
      payout('paid', 'c1', 1),
      ofEmployer({ payment: 1, status: 'paid', reference: 'e3' }),
    ],
  ],
  [
    'what was resolved and then cancelled is not resolved',
    {},
    [accept, came(100n, 'e1'), dispute, resolve(100n), dispute, cancel, resolve(100n)],
  ],
];

/** Cases that a random run may miss: a mutant of the code survived without them. */
const rare: typeof found = [
  [
    'a report of an attempt before is ignored, unless the money has gone',
    {},
    [
      ...toPayout,
      payout('processing', 'c1'),
      payout('failed', 'c1'),
      retry,
      payout('returned', 'c1'),
      payout('failed', 'c2'),
      retry,
      payout('processing', 'c2'),
      payout('paid', 'c1'),
    ],
  ],
  [
    'a reference of another payout is not of an attempt before',
    two,
    [
      ...toPayouts,
      payout('failed', 'c1'),
      payout('processing', 'c9', 1),
      retry,
      payout('failed', 'c9'),
    ],
  ],
  [
    'a charge-back takes nothing of what is being paid out',
    two,
    [...toPayouts, payout('processing', 'c1'), asked('charged_back', 'b1'), payout('paid', 'c1')],
  ],
  [
    'a late payout takes nothing of what is being paid out',
    two,
    [
      ...toPayouts,
      dispute,
      ofEmployer({ payment: 0, status: 'refunded', amount: 100n, reference: 'r1' }),
      resolve(200n),
      payout('processing', 'c2', 2),
      payout('paid', 'c1', 1),
    ],
  ],
  [
    'a late payout leaves no more for the fee than there is',
    { contractorFee: 20n },
    [
      ...toPayout,
      dispute,
      ofEmployer({ payment: 0, status: 'refunded', amount: 10n, reference: 'r1' }),
      payout('paid', 'c1'),
    ],
  ],
  [
    'a payout of a stage that is paid meanwhile is cancelled',
    two,
    [...toPayouts, came(300n, 'e2'), dispute, resolve(200n), payout('paid', 'c1', 1)],
  ],
  [
    'what an ended deal holds makes up for a loss',
    {},
    [
      ...toPayout,
      payout('processing', 'c1'),
      asked('charged_back', 'b1'),
      payout('failed', 'c1'),
      cancel,
    ],
  ],
  [
    'a payout reserves its fees too',
    { employerFee: 10n },
    [...toPayout, ofEmployer({ payment: 0, status: 'refunded', amount: 5n, reference: 'r1' })],
  ],
  [
    'what was asked for is not asked for again, whatever came besides',
    two,
    [accept, 101, deliver, approve, came(150n, 'e1'), 102, deliver, approve],
  ],
  [
    'a fee is owed whole once only stages that cost nothing are open',
    { budgets: [1n, 1n, 0n], employerFee: 1n },
    [accept, 101, 102, deliver, approve],
  ],
  [
    'a stage that a resolution has cancelled is not open again',
    two,
    [accept, came(200n, 'e1'), dispute, resolve(100n), dispute, resolve(150n)],
  ],
  [
    'nobody leaves a deal of which one stage is submitted',
    two,
    [
      accept,
      101,
      deliver,
      { name: 'decline', actor: 'freelancer' },
      { name: 'cancel', actor: 'partner' },
    ],
  ],
];

/** Two payouts of a first attempt, each sent again, with more money held than both. */
const anew = [...toPayouts, came(300n, 'e2'), dispute, resolve(200n)];
const isDone = [payout('processing', 'c3', 3), payout('paid', 'c0', 2), payout('paid', 'c1', 1)];
const approved = [accept, 101, 102, deliver, approve];

const rareMoney: typeof found = [
  [
    'a payout waits for the one before it, even where less would do',
    { budgets: [200n, 100n] },
    [...approved, came(150n, 'e1')],
  ],
  ['a payout leaves alone what another reserves', two, [...approved, came(150n, 'e1')]],
  [
    'a payout waits for the fee of the employer too',
    { employerFee: 10n },
    [accept, 101, deliver, approve, came(105n, 'e1')],
  ],
  [
    'the rest of a fee does not wait for a stage that costs nothing',
    { budgets: [10n, 10n, 0n], contractorFee: 1n },
    [...approved, came(20n, 'e1')],
  ],
  [
    'the rest of a fee waits for the last stage',
    { budgets: [10n, 10n, 10n], contractorFee: 2n },
    [...approved, came(30n, 'e1')],
  ],
  [
    'a resolution ends what was asked for before it',
    two,
    [accept, 101, deliver, approve, came(10n, 'e1'), dispute, resolve(200n)],
  ],
  [
    'an ended deal refunds nothing of what is being paid out',
    two,
    [...anew, ...isDone, asked('charged_back', 'b1'), payout('failed', 'c4', 3)],
  ],
  [
    'a stage of which two payouts came back owes the later one',
    { budgets: [2n] },
    [
      ...[accept, came(50n, 'e1'), dispute, resolve(1n), dispute, resolve(2n)],
      ...[payout('paid', 'c1'), payout('failed', 'c1')],
      ...[asked('refunded', 'e2'), asked('refunded', 'e3'), request],
      ...[asked('refund_failed', 'e2'), asked('charged_back', 'e4')],
      ...[payout('paid', 'c2', 1), payout('failed', 'c2', 1), request],
      ofEmployer({ payment: 2, status: 'paid', reference: 'e5' }),
    ],
  ],
  [
    'of two payouts of a stage that came back, the later one waits',
    { budgets: [2n, 7n] },
    [
      accept,
      { name: 'propose', actor: 'partner', changes: 3n },
      { name: 'write-off', actor: 'operator', amount: 9n },
      { name: 'accept-proposal', actor: 'freelancer', proposal: 0, hash: 'right' },
      ...[payout('returned', 'n0'), payout('paid', 'n0', 1), dispute, resolve(1n)],
      ...[payout('paid', 'n0', 2), payout('failed', 'n0', 2), payout('paid', 'intent 2')],
    ],
  ],
  [
    'of two payouts of a stage that came back, the later one waits, though both are held',
    { budgets: [2n, 7n] },
    [
      ...[accept, came(50n, 'e1')],
      { name: 'propose', actor: 'partner', changes: 3n },
      { name: 'accept-proposal', actor: 'freelancer', proposal: 0, hash: 'right' },
      ...[payout('returned', 'n0'), payout('paid', 'n0', 1), dispute, resolve(1n)],
      ...[payout('paid', 'n0', 2), payout('failed', 'n0', 2), payout('paid', 'intent 2')],
    ],
  ],
  [
    'a payout that came back goes before a refund that nobody was asked for yet',
    { budgets: [3n, 100n] },
    [
      ...[accept, 101, { ...deliver, stage: 101 }, { ...approve, stage: 101 }, asked('paid', 'e1')],
      ...[payout('paid', 'c1'), payout('failed', 'c1')],
      ofEmployer({ payment: 0, status: 'partially_refunded', amount: 1n, reference: 'e2' }),
      ...[cancel, asked('refund_failed', 'e2')],
    ],
  ],
  [
    'a payment under the name of a refund takes nothing of it',
    { budgets: [0n] },
    [
      ...[accept, cancel, came(101n, 'e1')],
      ofEmployer({ payment: 0, status: 'paid', amount: 100n, reference: 'intent 0' }),
      asked('refunded', 'intent 0'),
    ],
  ],
];

describe('what was found once', () => {
  test.each([...found, ...rare, ...rareMoney])('%s', (_, shape, steps) => {
    const run = new Run({ ...base, ...shape });
    for (const step of steps) typeof step === 'number' ? run.upload(step) : run.step(step);
  });
});
