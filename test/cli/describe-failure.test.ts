import { describeError } from 'dealwright';
import { expect, it } from 'vitest';
import { type Failure, failureLines } from '../../adapters/cli/describe-failure.js';

const message = (code: Failure['code']) => describeError(code, 'en');

it('shows what the message of a failure refers to, and refers to nothing else', () => {
  expect(
    failureLines({
      code: 'validation_failed',
      message: message('validation_failed'),
      errors: [{ path: ['amount'], code: 'not_positive', message: 'must be more', params: {} }],
    }),
  ).toEqual([
    'The input breaks rules of the interface. (validation_failed)',
    '  amount: must be more (not_positive)',
  ]);
  const states = { deal_status: 'created', freelancer_status: 'invited' } as const;
  expect(
    failureLines({
      ...{ code: 'illegal_transition', message: message('illegal_transition') },
      ...{ ...states, legal: ['cancel'] },
    }),
  ).toEqual([
    'The deal does not take this command from you in its present state. (illegal_transition)',
    '  legal: cancel',
    '  deal_status: created, freelancer_status: invited',
  ]);
});

it.each([
  ['none', true, 'it had no effect'],
  ['unknown', true, 'it may have had its effect'],
  ['none', false, 'it had no effect, to try again does not help'],
] as const)(
  'says of a service that fails what became of the call: %s, %s',
  (outcome, retryable, said) => {
    const [line] = failureLines({
      ...{ code: 'unavailable', message: message('unavailable'), port: 'service' },
      ...{ outcome, retryable, cause: 'status 503' },
    });
    expect(line).toBe(
      `A part of the service failed or did not answer; a retry with the same idempotency key is safe. (unavailable, status 503, ${said})`,
    );
  },
);
