import { createManualClock } from 'dealwright/testing';
import { expect, it } from 'vitest';
import { within } from '../../../adapters/shared/timer.js';

it('gives what comes first, and cancels its timer', async () => {
  const clock = createManualClock();
  expect(await within(clock, 10, () => 'late', Promise.resolve('first'))).toBe('first');
  const failed = within(clock, 10, () => 'late', Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');
  expect(clock.sleepers()).toBe(0);
});

it('gives what `late` returns or throws when the time is over', async () => {
  const clock = createManualClock();
  const silent = new Promise<string>(() => undefined);
  const late = within(clock, 10, () => 'late', silent);
  const refused = within<string>(clock, 10, () => expect.unreachable('too late'), silent);
  clock.advance(10);
  expect(await late).toBe('late');
  await expect(refused).rejects.toThrow('too late');
});

it('bears a timer that cannot be cancelled', async () => {
  const cancel = () => {
    throw new Error('cannot be cancelled');
  };
  expect(await within({ sleep: () => cancel }, 10, () => 1, Promise.resolve(2))).toBe(2);
});
