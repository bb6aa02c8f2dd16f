import { createMemoryStore } from 'dealwright/memory';
import { createRelay, type SubscriptionOptions } from 'dealwright/relay';
import { createManualClock } from 'dealwright/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { createDeal, globex, killableStore, pass, relayHost } from './kit.js';

const options = { name: 'mail', types: ['deal.created'], oneByOne: true } as const;

it('repeats one event at most after a kill, and loses none', async () => {
  const all = Array.from({ length: 12 }, (_, at) => `deal-${at}`);
  const anyKills = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyKills, async (kills) => {
      const store = createMemoryStore();
      const timer = createManualClock();
      const host = relayHost(store, timer);
      for (const name of all) await createDeal(host.marketplace, name);
      const handled: string[] = [];
      for (const after of kills) {
        const killable = killableStore(store);
        const { marketplace } = relayHost(killable.store, timer);
        let count = 0;
        createRelay(marketplace).subscribe(({ subject }) => {
          handled.push(subject);
          count += 1;
          // dead before the outcome of this event is written
          if (count === after) killable.kill();
        }, options);
        await pass(timer, 1_000);
        // the lease of the dead one ends
        await pass(timer, 9_000);
      }
      const last = createRelay(host.marketplace).subscribe(
        ({ subject }) => void handled.push(subject),
        options,
      );
      await pass(timer, 2_000);
      await last.stop();
      const wanted = all.map((name) => `deal:${name}`);
      expect([...new Set(handled)]).toEqual(wanted);
      expect(handled.length - wanted.length).toBeLessThanOrEqual(kills.length);
    }),
    { seed, numRuns: 8 },
  );
}, 120_000);

it('passes the events between, and gives each tenant its own', async () => {
  const { marketplace, timer, api } = relayHost();
  for (const name of ['a', 'b', 'c']) {
    await createDeal(marketplace, name);
    (await api.invite(name))._unsafeUnwrap();
    await createDeal(marketplace, name, globex);
  }
  const handled: string[] = [];
  const running = createRelay(marketplace).subscribe(
    ({ partner, subject, type }) => void handled.push(`${partner} ${subject} ${type}`),
    { ...options, types: ['deal.invited'] },
  );
  await pass(timer, 2_000);
  expect(handled).toEqual(['a', 'b', 'c'].map((name) => `acme deal:${name} deal.invited`));
  await createDeal(marketplace, 'd');
  (await api.invite('d'))._unsafeUnwrap();
  await pass(timer, 2_000);
  await running.stop();
  expect(handled).toHaveLength(4);
});

it('holds back the subject of an event that fails, and no other', async () => {
  const { marketplace, timer, api } = relayHost();
  for (const name of ['a', 'b']) {
    await createDeal(marketplace, name);
    (await api.invite(name))._unsafeUnwrap();
  }
  const handled: string[] = [];
  let isBroken = true;
  const running = createRelay(marketplace).subscribe(
    ({ subject, type }) => {
      if (isBroken && subject === 'deal:a') throw new Error('broken');
      handled.push(`${subject} ${type}`);
    },
    { name: 'mail', oneByOne: true } satisfies SubscriptionOptions,
  );
  await pass(timer, 2_000);
  expect(handled).toEqual(['deal:b deal.created', 'deal:b deal.invited']);
  isBroken = false;
  await pass(timer, 10_000);
  await running.stop();
  expect(handled.slice(2)).toEqual(['deal:a deal.created', 'deal:a deal.invited']);
});

it('gives up after ten attempts if it is told so, and then goes on with the subject', async () => {
  const { marketplace, timer, api } = relayHost();
  await createDeal(marketplace, 'a');
  (await api.invite('a'))._unsafeUnwrap();
  let attempts = 0;
  const handled: string[] = [];
  const running = createRelay(marketplace).subscribe(
    ({ type }) => {
      if (type === 'deal.created') {
        attempts += 1;
        throw new Error('broken');
      }
      handled.push(type);
    },
    { name: 'mail', givesUp: true },
  );
  await pass(timer);
  const hour = 3_600_000;
  for (let passed = 0; passed < 90; passed += 1) {
    expect(handled).toHaveLength(attempts < 10 ? 0 : 1);
    timer.advance(hour);
    await pass(timer, 500);
    await pass(timer, 500);
  }
  await running.stop();
  expect(attempts).toBe(10);
  expect(handled).toEqual(['deal.invited']);
});
