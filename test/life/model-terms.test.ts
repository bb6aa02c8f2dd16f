import { expect, test } from 'vitest';
import { give } from './model.js';
import type { Wish } from './model-rules.js';
import { deadlineOf, figures, toRefund } from './model-state.js';
import { canonical, digest, newModel } from './model-terms.js';
import { one } from './situations.js';
import { day, dayOne, type Shape } from './states.js';

const accept: Wish = { name: 'accept', actor: 'freelancer' };
const propose = (changes: Wish['changes'] & object): Wish => ({
  name: 'propose',
  actor: 'partner',
  changes,
});
const settle: Wish = { name: 'propose', actor: 'partner', changes: 60n };
const agree = (proposal: number): Wish => ({
  ...{ name: 'accept-proposal', actor: 'freelancer', proposal, hash: 'right' },
});
const paid: Wish = {
  name: 'record-employer-payment',
  actor: 'payments',
  report: { payment: 0, status: 'paid', reference: 'e1' },
};

/** The model of a deal after these steps, each of which is carried out. */
function play(shape: Partial<Shape>, ...wishes: readonly Wish[]) {
  const model = newModel({ ...one, ...shape });
  const kinds = wishes.map((wish) => give(model, wish, dayOne).kind);
  expect(kinds).toEqual(wishes.map(() => 'done'));
  return model;
}

test('canonical JSON has its members in order, and its hash is that of the standard', () => {
  expect(canonical({ b: [{ d: null, c: 'ż\n' }], a: 1 })).toBe(
    '{"a":1,"b":[{"c":"ż\\n","d":null}]}',
  );
  // FIPS 180-2, appendix B.1
  expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a fall of a prepaid deal goes back at once, and a rise is taken from it first (9.7)', () => {
  const prepaid = { mode: 'prepaid' } as const;
  const fallen = play(prepaid, accept, paid, propose({ amount: 60n }), agree(0));
  expect([toRefund(fallen), figures(fallen).held]).toEqual([40n, 100n]);
  for (const wish of [propose({ amount: 130n }), agree(1)]) give(fallen, wish, dayOne);
  expect(toRefund(fallen)).toBe(0n);
  expect(fallen.incoming.map(({ asked }) => asked)).toEqual([100n, 30n]);
});

test('a fall before the payment is one request for the rest (9.7)', () => {
  const model = play({ mode: 'prepaid' }, accept, propose({ amount: 60n }), agree(0));
  expect(model.incoming.map(({ status, asked }) => [status, asked])).toEqual([
    ['expired', 100n],
    ['requested', 60n],
  ]);
});

test('a settlement approves as much as was agreed on, with the fees of that (9.8, 9.16 e)', () => {
  const percent = { employer: 10, contractor: 10 };
  const shape = { employerFee: 10n, contractorFee: 10n, percent };
  const model = play(shape, accept, settle, agree(0));
  expect([model.status, model.employerFee, model.contractorFee]).toEqual(['approved', 6n, 6n]);
  expect([model.amount, model.agreed]).toEqual([100n, 60n]);
  expect(model.incoming.map(({ asked }) => asked)).toEqual([66n]);
});

test('what is added has its days from the amendment, and what is changed has seven (9.13)', () => {
  const changes = {
    stages: [
      { id: 101, work_days: 1 },
      { name: 'More', budget: 5n, work_days: 2 },
    ],
  };
  const model = play({}, accept, propose(changes), agree(0));
  expect(model.stages.map((each) => deadlineOf(model, each))).toEqual([
    dayOne + 7 * day,
    dayOne + 2 * day,
  ]);
});

test('the partner of version 1.0 does not consent for the freelancer (9.2)', () => {
  const model = play({ version: '1.0' }, accept, settle);
  const own = { ...agree(0), actor: 'partner' };
  expect(give(model, own, dayOne)).toEqual({ kind: 'refused', reasons: ['consent_needed'] });
  expect(give(model, { ...own, hash: 'wrong' }, dayOne)).toEqual({
    kind: 'refused',
    reasons: ['terms_changed', 'consent_needed'],
  });
  expect(give(model, agree(0), dayOne).kind).toBe('done');
});
