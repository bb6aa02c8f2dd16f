import { describe, test } from 'vitest';
import type { Wish } from './model-rules.js';
import { Run } from './run.js';
import type { Shape } from './states.js';

const base: Shape = {
  version: '1.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: false,
};
const accept: Wish = { name: 'accept', actor: 'freelancer' };
const deliver: Wish = { name: 'deliver', actor: 'freelancer' };
const approve: Wish = { name: 'approve', actor: 'partner' };
const dispute: Wish = { name: 'dispute', actor: 'partner' };
const cancel: Wish = { name: 'cancel', actor: 'operator' };
const retry: Wish = { name: 'retry-payout', actor: 'operator' };
const resolve = (agreed: bigint): Wish => ({ name: 'resolve', actor: 'operator', agreed });
const ofEmployer = (report: Wish['report'] & object): Wish => ({
  name: 'record-employer-payment',
  actor: 'payments',
  report,
});
const ofContractor = (report: Wish['report'] & object): Wish => ({
  name: 'record-contractor-payment',
  actor: 'payments',
  report,
});
const asked = (status: string, reference: string): Wish =>
  ofEmployer({ payment: 0, status, reference });
const payout = (status: string, reference: string, payment = 0): Wish =>
  ofContractor({ payment, status, reference });
/** Money that came without being asked for. */
const came = (amount: bigint, reference: string): Wish =>
  ofEmployer({ status: 'paid', amount, reference });

/** What random runs have found once, step by step: a number is a file for that stage. */
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

describe('what was found once', () => {
  test.each(found)('%s', (_, shape, steps) => {
    const run = new Run({ ...base, ...shape });
    for (const step of steps) typeof step === 'number' ? run.upload(step) : run.step(step);
  });
});
