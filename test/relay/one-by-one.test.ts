import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createRelay, type RelayFailure, type SubscriptionOptions } from 'dealwright/relay';
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
  const failures: RelayFailure[] = [];
  const running = createRelay(marketplace).subscribe(
    ({ type }) => {
      if (type === 'deal.created') {
        attempts += 1;
        throw new Error('broken');
      }
      handled.push(type);
    },
    { name: 'mail', givesUp: true, onFailure: (failure) => failures.push(failure) },
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
  // each failure tells its event, the last one that it is over
  expect(failures.map(({ event, isGivenUp }) => [event?.type, event?.subject, isGivenUp])).toEqual(
    Array.from({ length: 10 }, (_, at) => ['deal.created', 'deal:a', at === 9]),
  );
});

it('gives an event up at once if a function says so, and tries it again if that fails', async () => {
  const { marketplace, timer } = relayHost();
  for (const name of ['a', 'b', 'c']) await createDeal(marketplace, name);
  const tried: string[] = [];
  const told: string[] = [];
  const running = createRelay(marketplace).subscribe(
    ({ subject }) => {
      tried.push(subject);
      throw new Error(subject);
    },
    {
      ...options,
      givesUp(cause) {
        if (cause instanceof Error && cause.message === 'deal:c') throw new Error('broken');
        return cause instanceof Error && cause.message === 'deal:a';
      },
      onFailure: ({ event, isGivenUp }) => told.push(`${event?.subject} ${isGivenUp}`),
    },
  );
  await pass(timer, 2_000);
  expect(told).toEqual(['deal:a true', 'deal:b false', 'deal:c false']);
  await pass(timer, 6_000);
  await pass(timer, 500);
  await running.stop();
  expect(tried.filter((each) => each === 'deal:a')).toHaveLength(1);
  expect(tried.filter((each) => each === 'deal:b').length).toBeGreaterThan(1);
  expect(tried.filter((each) => each === 'deal:c').length).toBeGreaterThan(1);
});

/** A store that counts its writes, and its reads of the events of one subject. */
function countingStore() {
  const inner = createMemoryStore();
  const counts = { commits: 0, reads: 0 };
  const store: Store = {
    ...inner,
    commit(...given) {
      counts.commits += 1;
      return inner.commit(...given);
    },
    events: {
      ...inner.events,
      of(...given) {
        counts.reads += 1;
        return inner.events.of(...given);
      },
    },
  };
  return { store, counts };
}

it('passes what a function does not want, without a write for each', async () => {
  const { store, counts } = countingStore();
  const { marketplace, timer } = relayHost(store);
  for (let made = 0; made < 50; made += 1) await createDeal(marketplace, `deal-${made}`);
  const handled: string[] = [];
  const before = counts.commits;
  const running = createRelay(marketplace).subscribe(
    ({ subject }) => void handled.push(subject),
    // an event as the handler gets it
    { ...options, types: ({ partner, subject }) => partner === 'acme' && subject.endsWith('-7') },
  );
  await pass(timer, 2_000);
  await running.stop();
  expect(handled).toEqual(['deal:deal-7']);
  // to take the lease, to write the event and pass all others, to release the lease
  expect(counts.commits - before).toBe(3);
});

it('tries an event again for which the function throws, and goes on with the others', async () => {
  const { marketplace, timer } = relayHost();
  for (const name of ['a', 'b']) await createDeal(marketplace, name);
  const handled: string[] = [];
  const failures: RelayFailure[] = [];
  let isBroken = true;
  const running = createRelay(marketplace).subscribe(({ subject }) => void handled.push(subject), {
    types({ subject }) {
      if (isBroken && subject === 'deal:a') throw new Error('broken');
      return true;
    },
    onFailure: (failure) => failures.push(failure),
  });
  await pass(timer);
  expect(handled).toEqual(['deal:b']);
  expect(failures).toMatchObject([
    { cause: new Error('broken'), event: { subject: 'deal:a' }, isGivenUp: false },
  ]);
  isBroken = false;
  await pass(timer, 2_000);
  await running.stop();
  expect(handled).toEqual(['deal:b', 'deal:a']);
});

it('takes a new event between those that are tried again', async () => {
  const { marketplace, timer } = relayHost();
  const count = 20;
  for (let made = 0; made < count; made += 1) await createDeal(marketplace, `deal-${made}`);
  const tried: string[] = [];
  const running = createRelay(marketplace).subscribe(
    async ({ subject }) => {
      tried.push(subject);
      if (subject === 'deal:new') return;
      // the second attempts are slow
      if (tried.length > count) await new Promise<void>((done) => timer.sleep(10_000, done));
      throw new Error('broken');
    },
    { ...options, givesUp: true },
  );
  await pass(timer, 7_000);
  expect(tried).toHaveLength(count + 1);
  await createDeal(marketplace, 'new');
  await pass(timer, 20_000);
  expect(tried.slice(count, count + 3)).toContain('deal:new');
  const stopped = running.stop();
  await pass(timer, 20_000);
  await stopped;
});

it('reads as few events to go back to as it has turns for', async () => {
  const { store, counts } = countingStore();
  const { marketplace, timer, api } = relayHost(store);
  const count = 20;
  for (let made = 0; made < count; made += 1) {
    await createDeal(marketplace, `deal-${made}`);
    (await api.invite(`deal-${made}`))._unsafeUnwrap();
  }
  const handled: string[] = [];
  let isBroken = true;
  const running = createRelay(marketplace).subscribe(
    ({ subject, type }) => {
      if (isBroken) throw new Error('broken');
      handled.push(`${subject} ${type}`);
    },
    { name: 'mail', oneByOne: true, givesUp: true },
  );
  await pass(timer, 2_000);
  isBroken = false;
  const before = counts.reads;
  await pass(timer, 4_000);
  // a run ends as the time moves on: here it does not, so one run does all that is left
  await pass(timer, 10);
  await running.stop();
  expect(handled).toHaveLength(2 * count);
  // for each turn the event that failed, and the one that waited for it
  expect(counts.reads - before).toBeLessThanOrEqual(4 * count);
});
