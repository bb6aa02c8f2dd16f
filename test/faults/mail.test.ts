import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../kit/seed.js';
import { countOf } from '../tiers.js';
import { runMailKills } from './mail/run.js';
import { sqlitePlace } from './relays/places.js';

const kills = countOf('KILLS', 6, 200);

it(
  `loses no mail through ${kills} kills, and repeats one only if a kill left no record of it`,
  async () => {
    const place = sqlitePlace();
    onTestFinished(() => place.close());
    const figures = await runMailKills(place, { kills, seed });
    process.stdout.write(`mail: ${JSON.stringify(figures)}\n`);
    expect(figures, `seed ${seed}`).toMatchObject({ kills, lost: 0, unexplained: 0 });
    expect(figures.messages).toBeGreaterThan(5 * kills);
  },
  60_000 + kills * 40_000,
);
