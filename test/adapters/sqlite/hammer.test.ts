import { hammerStore, losingAnswers } from 'dealwright/spec';
import { createSqliteStore } from 'dealwright/sqlite';
import { expect, it } from 'vitest';
import { hammer, hammerSeeds } from '../../kit/hammer.js';
import { createHastyStore } from './database.js';

it.each(hammerSeeds)(
  'answers 64 clients on three connections as some order of their calls explains: seed %i',
  async (seed) => {
    const store = createHastyStore();
    const others = [1, 2].map(() => {
      const db = store.file.open();
      const other = createSqliteStore(db, { busyTimeout: 60_000, gather: false });
      db.prepare('pragma synchronous = off').run();
      const lost = (nth: number) =>
        nth % 7 === 0 ? 'after' : nth % 11 === 0 ? 'before' : undefined;
      return losingAnswers(other, lost);
    });
    try {
      const report = await hammerStore([store, ...others], hammer(seed));
      expect(report.failed).toBe(0);
      expect(report.sentAgain).toBeGreaterThan(100);
      expect(report.committed).toBeGreaterThan(1_000);
      expect(report.refused).toBeGreaterThan(100);
    } finally {
      await store.close();
    }
  },
  120_000,
);
