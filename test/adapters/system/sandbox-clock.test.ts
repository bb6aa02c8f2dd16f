import type { Tenant } from 'dealwright';
import { createSandboxClock } from 'dealwright/system';
import { createManualClock } from 'dealwright/testing';
import { expect, test } from 'vitest';

const sandbox = (partner: string): Tenant => ({ environment: 'sandbox', partner });
const live: Tenant = { environment: 'production', partner: 'acme' };

test('moves the time of one partner of the sandbox, and of nobody else', () => {
  const base = createManualClock(1000);
  const clock = createSandboxClock(base);
  expect(clock.now(sandbox('acme'))).toBe(1000);
  clock.move(sandbox('acme'), 500);
  clock.move(sandbox('acme'), 20);
  base.advance(3);
  const all = [sandbox('acme'), sandbox('globex'), live].map((tenant) => clock.now(tenant));
  expect(all).toEqual([1523, 1003, 1003]);
});

test('asks its clock for the time of the tenant, and does not share what another one moved', () => {
  const asked: Tenant[] = [];
  const base = { now: (tenant: Tenant) => asked.push(tenant) };
  createSandboxClock(base).move(sandbox('acme'), 500);
  expect(createSandboxClock(base).now(sandbox('acme'))).toBe(1);
  expect(asked).toEqual([sandbox('acme')]);
});

test.each<[string, Tenant, number]>([
  ['of production', live, 1],
  ['of what is no tenant', { environment: 'sandbox', partner: '' }, 1],
  ['back', sandbox('acme'), -1],
  ['by no number', sandbox('acme'), Number.NaN],
])('does not move the time %s', (_, tenant, milliseconds) => {
  const clock = createSandboxClock(createManualClock(1000));
  expect(() => clock.move(tenant, milliseconds)).toThrow(TypeError);
  expect([sandbox('acme'), live].map((each) => clock.now(each))).toEqual([1000, 1000]);
});

test.each([undefined, {}, { now: 1 }])('%j is no clock, and is told by name', (clock) => {
  expect(() => createSandboxClock(clock as never)).toThrow(
    new TypeError('createSandboxClock: clock is a clock, with now()'),
  );
});
