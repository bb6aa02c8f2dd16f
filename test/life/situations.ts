import type { Wish } from './model-rules.js';
import type { Run } from './run.js';
import { day, type Shape } from './states.js';

/**
 * The answers of a deal of one stage, written by hand from decisions 6.1, 6.2 and 6.7.
 *
 * - `ok`: it is legal, and no guard refuses it
 * - `=`: its effect exists already: a success that changes nothing
 * - `x`: the command is not legal in the state, or not for this actor
 * - other values: the reason of the refusal
 */
export type Answer = string;

/** A situation: the steps to it, and its answers; absent answers are `x`. */
export interface Situation {
  readonly is: string;
  readonly reach: (run: Run) => void;
  readonly answers: Readonly<Record<string, Answer>>;
}

export const one: Shape = {
  version: '2.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: true,
};

const accept = (run: Run) => run.step({ name: 'accept', actor: 'freelancer' });
const submit = (run: Run) => {
  accept(run);
  run.upload(101);
  run.step({ name: 'deliver', actor: 'freelancer' });
};
const approve = (run: Run) => {
  submit(run);
  run.step({ name: 'approve', actor: 'partner' });
};
const sendBack = (run: Run) => {
  submit(run);
  run.step({ name: 'request-changes', actor: 'partner' });
};
const complete = (run: Run) => {
  approve(run);
  const paid = { payment: 0, status: 'paid', reference: 'e1' };
  run.step({ name: 'record-employer-payment', actor: 'payments', report: paid });
  const done = { payment: 0, status: 'paid', reference: 'c1' };
  run.step({ name: 'record-contractor-payment', actor: 'payments', report: done });
};
const and = (reach: (run: Run) => void, wish: Wish) => (run: Run) => {
  reach(run);
  run.step(wish);
};
const dispute: Wish = { name: 'dispute', actor: 'partner' };
const stop: Wish = { name: 'cancel', actor: 'operator' };
/** Resolves with nothing agreed on: given in every situation below. */
const nothing: Wish = { name: 'resolve', actor: 'operator', agreed: 0n };

/** Retries are legal in every state but a dispute; here there is nothing to retry. */
const again = {
  'retry-payout operator': 'nothing_to_retry',
  'retry-refund operator': 'nothing_to_retry',
  'refund-surplus operator': 'no_surplus',
};
/** Reports are legal in every state; here they name no payment, which is invalid. */
const reports = {
  'record-employer-payment operator': 'required',
  'record-employer-payment payments': 'required',
  'record-contractor-payment operator': 'required',
  'record-contractor-payment payments': 'required',
};
/** Commands that are always legal in an accepted deal, with nothing to do. */
const working = {
  ...reports,
  ...again,
  'expire-proposal clock': 'not_due',
  'accept freelancer': '=',
  'cancel operator': 'ok',
  'request-payment partner': 'nothing_outstanding',
  'request-payment operator': 'nothing_outstanding',
  'write-off operator': 'ok',
  'expire-payment clock': 'not_due',
  'add-bonus partner': 'ok',
  'dispute partner': 'ok',
  'dispute freelancer': 'ok',
};
const created = {
  ...reports,
  ...again,
  'expire-proposal clock': 'not_due',
  'invite partner': 'ok',
  'invite operator': 'ok',
  'accept freelancer': 'ok',
  'decline freelancer': 'ok',
  'cancel partner': 'ok',
  'cancel operator': 'ok',
  'deliver freelancer': 'no_files',
  'tell-expiry clock': 'not_due',
  'expire clock': 'not_due',
};
const disputed = {
  ...reports,
  'expire-proposal clock': 'not_due',
  'accept freelancer': '=',
  'dispute partner': '=',
  'dispute freelancer': '=',
  'resolve operator': 'ok',
  'cancel operator': 'ok',
};

export const situations: readonly Situation[] = [
  { is: 'created new pending', reach: () => {}, answers: created },
  {
    is: 'created invited pending',
    reach: (run) => run.step({ name: 'invite', actor: 'partner' }),
    answers: { ...created, 'invite partner': '=', 'invite operator': '=' },
  },
  {
    is: 'accepted accepted pending',
    reach: accept,
    answers: {
      ...working,
      'decline freelancer': 'ok',
      'cancel partner': 'ok',
      'tell-overdue clock': 'not_due',
      'tell-review-end clock': 'not_due',
      'deliver freelancer': 'no_files',
      'deliver partner': 'no_files',
      'dispute partner': 'not_paid',
      'dispute freelancer': 'not_paid',
    },
  },
  {
    is: 'delivered accepted submitted',
    reach: submit,
    answers: {
      ...working,
      'deliver freelancer': '=',
      'deliver partner': '=',
      'request-changes partner': 'ok',
      'approve partner': 'ok',
      'tell-review-end clock': 'not_due',
      'approve clock': 'not_due',
    },
  },
  {
    is: 'changes_requested accepted changes_requested',
    reach: sendBack,
    answers: {
      ...working,
      'decline freelancer': 'ok',
      'cancel partner': 'not_overdue',
      'tell-overdue clock': 'not_due',
      'tell-review-end clock': 'not_due',
      'deliver freelancer': 'no_files',
      'deliver partner': 'no_files',
      'request-changes partner': '=',
    },
  },
  {
    is: 'approved accepted approved',
    reach: approve,
    answers: {
      ...working,
      'approve partner': '=',
      'approve clock': '=',
      'request-payment partner': '=',
      'request-payment operator': '=',
    },
  },
  {
    is: 'completed finished paid',
    reach: complete,
    answers: {
      ...reports,
      ...again,
      'accept freelancer': '=',
      'request-payment partner': 'nothing_outstanding',
      'request-payment operator': 'nothing_outstanding',
      'write-off operator': 'nothing_outstanding',
      'expire-payment clock': 'not_due',
      'approve partner': '=',
      'approve clock': '=',
    },
  },
  {
    is: 'disputed accepted pending',
    reach: (run) => {
      accept(run);
      const report = { status: 'paid', amount: 100n, reference: 'e1' };
      run.step({ name: 'record-employer-payment', actor: 'operator', report });
      run.step(dispute);
    },
    answers: disputed,
  },
  {
    is: 'disputed accepted submitted',
    reach: and(submit, dispute),
    answers: { ...disputed, 'deliver partner': '=', 'deliver freelancer': '=' },
  },
  {
    is: 'disputed accepted changes_requested',
    reach: and(sendBack, dispute),
    answers: { ...disputed, 'request-changes partner': '=' },
  },
  {
    is: 'disputed accepted approved',
    reach: and(approve, dispute),
    answers: {
      ...disputed,
      'approve partner': '=',
      'approve clock': '=',
      'request-payment partner': '=',
      'request-payment operator': '=',
    },
  },
  {
    is: 'cancelled declined cancelled',
    reach: (run) => run.step({ name: 'decline', actor: 'freelancer' }),
    answers: { ...reports, ...again, 'decline freelancer': '=' },
  },
  {
    is: 'cancelled removed cancelled',
    reach: (run) => run.step(stop),
    answers: { ...reports, ...again, 'cancel partner': '=', 'cancel operator': '=' },
  },
  {
    is: 'cancelled removed cancelled',
    reach: and(and(submit, dispute), nothing),
    answers: {
      ...{ ...reports, ...again, 'resolve operator': '=' },
      // resolving with nothing is like a cancellation
      ...{ 'cancel partner': '=', 'cancel operator': '=' },
    },
  },
  {
    is: 'expired expired cancelled',
    reach: (run) => run.pass(30 * day),
    answers: { ...reports, ...again, 'expire clock': '=' },
  },
];
