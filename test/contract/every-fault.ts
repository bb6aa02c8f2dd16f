import {
  actsLate,
  answers,
  answersLate,
  faults,
  type ManualClock,
  type PortFault,
} from 'dealwright/testing';
import { err } from 'neverthrow';
import { expect } from 'vitest';

/** Milliseconds that a port has to answer. */
export const deadline = 1000;

/** A value whose members cannot be read. */
export const unreadable = new Proxy(
  {},
  {
    get() {
      throw new Error('a value that cannot be looked at');
    },
  },
);

/** Values that are not an answer of any port. */
const nonsense: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 7,
  'an object': {},
  'a promise of nothing': Promise.resolve(undefined),
  'what cannot be looked at': unreadable,
  'an error that is not of a port': err('down'),
  'an error with no outcome of a port': err({
    code: 'unavailable',
    outcome: 'maybe',
    retryable: true,
  }),
};

/** Every fault of a port: in time, in form, in kind. */
export function everyFault(timer: ManualClock, values: Readonly<Record<string, unknown>>) {
  const { answersTwice: _, ...broken } = faults;
  const garbage = Object.entries({ ...nonsense, ...values }).map(
    ([name, value]) => [`answers ${name}`, answers(value)] as const,
  );
  const all: readonly (readonly [string, PortFault])[] = [
    ...Object.entries(broken),
    ['answers after the deadline', answersLate(timer, 5 * deadline)],
    ['acts after the deadline', actsLate(timer, 5 * deadline)],
    ...garbage,
  ];
  return all;
}

/** Whether a retry helps: never after an answer that breaks the contract of the port (decision 8). */
export const isWorthARetry = (fault: string): boolean =>
  !fault.startsWith('answers ') ||
  ['answers after the deadline', 'answers a failure that it calls unknown'].includes(fault);

/** Lets a call go on until it is answered, and moves the time, so that deadlines pass. */
export async function answered<T>(call: PromiseLike<T>, timer: ManualClock): Promise<T> {
  let done = false;
  const answer = Promise.resolve(call).finally(() => {
    done = true;
  });
  for (let turn = 1; turn < 5000 && !done; turn += 1) {
    await undefined;
    if (turn % 200 === 0) timer.advance(deadline);
  }
  expect(done).toBe(true);
  return answer;
}
