import { createMarketplace } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { createRelay } from 'dealwright/relay';
import { createManualClock } from 'dealwright/testing';
import { expect, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { createDeal, pass, relayHost } from './kit.js';

it('looks at every tenant if a store does not say whose log has grown', async () => {
  const store = createMemoryStore();
  let tell: (() => void) | undefined;
  const watch = (listener: (tenant?: undefined) => void) => {
    tell = () => listener();
    return () => undefined;
  };
  const timer = createManualClock();
  const { marketplace } = relayHost({ ...store, watch }, timer);
  const got: string[] = [];
  const running = createRelay(marketplace).subscribe(({ subject }) => got.push(subject));
  // after a while it rarely looks by itself
  await pass(timer, 10_000);
  const other = relayHost(store, createManualClock());
  await createDeal(other.marketplace, 'a');
  await pass(timer, 0);
  expect(got).toEqual([]);
  tell?.();
  await pass(timer, 0);
  expect(got).toEqual(['deal:a']);
  await running.stop();
});

it('relays nothing if the host has no webhooks', async () => {
  const { webhooks: _webhooks, secrets: _secrets, ...ports } = createPorts();
  const marketplace = createMarketplace(ports);
  await createDeal(marketplace, 'a');
  const failures: unknown[] = [];
  const relay = createRelay(marketplace).relayWebhooks({
    onFailure: (failure) => failures.push(failure),
  });
  await relay.stop();
  expect(failures).toEqual([]);
});
