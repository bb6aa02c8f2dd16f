import { createMemoryStore } from 'dealwright/memory';
import { delayed, hammerStore, losingAnswers, type StoreSubject } from 'dealwright/spec';
import { expect, it } from 'vitest';

it('answers a hammer of 64 clients, whose answers get lost, with what it stores', async () => {
  let call = 0;
  const turns = () => {
    call = (call * 7 + 3) % 11;
    return call;
  };
  const store: StoreSubject = { ...createMemoryStore(), close: async () => undefined };
  const lossy = losingAnswers(store, (nth) => (nth % 9 === 0 ? 'after' : undefined));
  const stores = [delayed(store, turns), delayed(lossy, turns)];
  const report = await hammerStore(stores, { clients: 64, calls: 5000, seed: 20261122 });
  expect(report.committed).toBeGreaterThan(1000);
  expect(report.refused).toBeGreaterThan(500);
  expect(report.sentAgain).toBeGreaterThan(100);
  expect(report.failed).toBe(0);
});
