import type { DealState } from 'dealwright/life';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dealDetails } from '../../src/domain/life/details.js';
import { keepState, stateOfKept, withTerms } from '../../src/domain/life/kept-state.js';
import { versionOf } from '../../src/domain/terms/terms.js';
import { act, dice } from './actions.js';
import { Run } from './run.js';
import { shapes } from './states.js';

/** Names as short as those of the library, and as likely to differ. */
const nameOf = (text: string): string => `n${text}`;

/** The later rows of the records of a state, without new records. */
function laterOf(then: DealState, now: DealState): DealState {
  const those = <R extends { readonly id: number | string }>(
    old: readonly R[],
    all: readonly R[],
  ) => all.filter(({ id }) => old.some((each) => each.id === id));
  return {
    ...now,
    stage: those(then.stage, now.stage),
    employer_payment: those(then.employer_payment, now.employer_payment),
    contractor_payment: those(then.contractor_payment, now.contractor_payment),
    posting: now.posting.slice(0, then.posting.length),
    work_file: now.work_file.slice(0, then.work_file.length),
    payment_report: now.payment_report.slice(0, then.payment_report.length),
    intent: those(then.intent, now.intent),
  };
}

const years = { min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') };
const lives = fc.array(dice, { minLength: 20, maxLength: 60, size: 'max' });

function expectKept(then: DealState, { state: now, kept: { terms } }: Run): void {
  const kept = JSON.parse(JSON.stringify(keepState(then, nameOf)));
  const read = stateOfKept(laterOf(then, now), kept, nameOf);
  const version = terms.find(({ terms_version }) => terms_version === versionOf(then.deal));
  const isOther = then.deal.terms_version !== now.deal.terms_version;
  // the terms of a deal are records of their own once they have changed
  if (isOther) expect(version).toBeDefined();
  const whole = isOther && version !== undefined ? withTerms(read, version, kept) : read;
  expect(dealDetails(whole)).toEqual(dealDetails(then));
}

test('what is kept of a deal says later what it was', () => {
  fc.assert(
    fc.property(shapes, lives, (shape, all) => {
      const run = new Run(shape);
      const states = [run.state];
      for (const each of all) {
        act(run, each);
        states.push(run.state);
      }
      for (const then of states) expectKept(then, run);
    }),
    { numRuns: 60 },
  );
});

test('any last report of a payment, at any time', () => {
  const words = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom('r1', 'a\nb', '#1', ' '));
  const said = fc.record({
    isOfReport: fc.boolean(),
    words,
    at: fc.oneof(fc.constant(undefined), fc.date({ noInvalidDate: true, ...years })),
  });
  fc.assert(
    fc.property(shapes, lives, fc.array(said, { minLength: 1 }), (shape, all, news) => {
      const run = new Run(shape);
      for (const each of all) act(run, each);
      const then = {
        ...run.state,
        employer_payment: run.state.employer_payment.map((payment, index) => {
          const { isOfReport, words, at } = news[index % news.length] as (typeof news)[number];
          const report = run.state.payment_report.find((each) => each.payment_id === payment.id);
          return {
            ...payment,
            reference: isOfReport ? (report?.reference ?? words) : words,
            updated_at: at?.toISOString() ?? payment.updated_at,
          };
        }),
      };
      expectKept(then, run);
    }),
  );
});
