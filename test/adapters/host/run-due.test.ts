import type { Environment, LocalMarketplace, RunReport, Unavailable } from 'dealwright';
import { unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { errAsync, okAsync, ResultAsync } from 'neverthrow';
import { expect, it } from 'vitest';
import { runDueRegularly } from '../../../adapters/host/run-due.js';

type Run = () => ResultAsync<RunReport, Unavailable>;

const done: Run = () => okAsync({ done: 0, failed: 0, failures: [] });

/** What is due of a marketplace, each run noted; `runs` says what those do that are not just done. */
function createDue(runs: Readonly<Record<string, Run>> = {}) {
  const made: string[] = [];
  const note = (name: string) => () => {
    made.push(name);
    return (runs[name] ?? done)();
  };
  const operator = (environment: Environment) => ({
    runTimers: note(`timers of ${environment}`),
    runEffects: note(`effects of ${environment}`),
  });
  return { made, marketplace: { operator } as Pick<LocalMarketplace, 'operator'> };
}

const round = [
  'timers of production',
  'effects of production',
  'timers of sandbox',
  'effects of sandbox',
];
const both = ['production', 'sandbox'] as const;
const failing: Run = () => {
  const failure = unavailable({ outcome: 'unknown', cause: 'down' });
  return errAsync(failure.error as Unavailable);
};

const unexpected = (cause: unknown) => expect.unreachable(String(cause));

it('does what is due in both environments, and again a second after it has finished', async () => {
  const timer = createManualClock();
  const { made, marketplace } = createDue();
  const stop = runDueRegularly(timer, marketplace, both, unexpected);
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect(made).toEqual(round);
  timer.advance(999);
  expect(made).toHaveLength(4);
  timer.advance(1);
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect(made).toEqual([...round, ...round]);
  await stop();
  expect(timer.sleepers()).toBe(0);
});

it('does it in the environments that are served, and in no other', async () => {
  const timer = createManualClock();
  const { made, marketplace } = createDue();
  const stop = runDueRegularly(timer, marketplace, ['sandbox'], unexpected);
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect(made).toEqual(round.slice(2));
  await stop();
});

it('reports a run that fails, goes on with the others, and makes it again', async () => {
  const timer = createManualClock();
  const { made, marketplace } = createDue({ 'timers of production': failing });
  const causes: unknown[] = [];
  const stop = runDueRegularly(timer, marketplace, both, ({ cause }) => causes.push(cause));
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect([causes, made]).toEqual([['down'], round]);
  timer.advance(1000);
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect([causes, made]).toEqual([
    ['down', 'down'],
    [...round, ...round],
  ]);
  await stop();
});

it('reports what a run could not do', async () => {
  const timer = createManualClock();
  const failure = { partner: 'acme', partner_id: 'order-1', reason: 'payments.execute: down' };
  const { marketplace } = createDue({
    'effects of sandbox': () => okAsync({ done: 3, failed: 1, failures: [failure] }),
  });
  const failures: unknown[] = [];
  const stop = runDueRegularly(timer, marketplace, both, (each) => failures.push(each));
  await expect.poll(() => timer.sleepers()).toBe(1);
  expect(failures).toEqual([{ work: 'due', ...failure }]);
  await stop();
});

it('told to stop, waits for what is under way and begins nothing else', async () => {
  const timer = createManualClock();
  let finish = () => {};
  const underWay = new Promise<RunReport>((resolve) => {
    finish = () => resolve({ done: 1, failed: 0, failures: [] });
  });
  const { made, marketplace } = createDue({
    'effects of production': () => ResultAsync.fromSafePromise(underWay),
  });
  const stop = runDueRegularly(timer, marketplace, both, unexpected);
  await expect.poll(() => made).toHaveLength(2);
  let isIdle = false;
  const stopped = stop().then(() => {
    isIdle = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isIdle).toBe(false);
  finish();
  await stopped;
  expect([made, timer.sleepers()]).toEqual([round.slice(0, 2), 0]);
});
