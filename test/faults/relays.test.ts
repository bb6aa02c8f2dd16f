import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../kit/seed.js';
import { countOf } from '../tiers.js';
import { sqlitePlace } from './relays/places.js';
import { runRelayKills } from './relays/run.js';

const kills = countOf('KILLS', 6, 60);

it(
  `loses and reorders no event through ${kills} kills of relays over SQLite`,
  async () => {
    const place = sqlitePlace();
    onTestFinished(() => place.close());
    const figures = await runRelayKills(place, { kills, seed });
    expect(figures, `seed ${seed}`).toMatchObject({ kills, lost: 0, outOfOrder: 0 });
    expect(figures.events).toBeGreaterThan(10 * kills);
  },
  60_000 + kills * 40_000,
);
