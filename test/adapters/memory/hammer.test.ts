import { createMemoryStore } from 'dealwright/memory';
import { hammerStore, losingAnswers, type StoreSubject } from 'dealwright/spec';
import { delayed } from 'dealwright/testing';
import { expect, it } from 'vitest';
import { hammer, hammerSeeds } from '../../kit/hammer.js';

it.each(hammerSeeds)(
  'answers 64 clients, whose answers get lost, with what it stores: seed %i',
  async (seed) => {
    let call = 0;
    const turns = () => {
      call = (call * 7 + 3) % 11;
      return call;
    };
    const store: StoreSubject = { ...createMemoryStore(), close: async () => undefined };
    const lossy = losingAnswers(store, (nth) => (nth % 9 === 0 ? 'after' : undefined));
    const stores = [delayed(store, turns), delayed(lossy, turns)];
    const report = await hammerStore(stores, hammer(seed));
    expect(report.committed).toBeGreaterThan(1000);
    expect(report.refused).toBeGreaterThan(500);
    expect(report.sentAgain).toBeGreaterThan(100);
    expect(report.failed).toBe(0);
  },
);
