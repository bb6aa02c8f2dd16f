import { expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { countOf } from '../tiers.js';
import { createPostgresTarget } from './postgres-target.js';
import { runKills } from './run.js';

const kills = countOf('KILLS', 5, 50);

it(`PostgreSQL keeps what was acknowledged through ${kills} kills, of it and of the service`, async () => {
  const figures = await runKills(await createPostgresTarget(), { kills, seed });
  expect(figures.kills).toBe(kills);
  expect(figures.cutOff).toBeGreaterThan(kills);
  for (const kind of ['contractor', 'deal', 'deal_v2', 'file']) {
    expect(figures.created[kind]).toBeGreaterThan(kills / 4);
  }
  expect(figures.commands).toBeGreaterThan(2 * kills);
  expect(figures.effects).toBeGreaterThan(kills / 2);
}, 600_000);
