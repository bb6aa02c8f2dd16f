import { createKeyValueStore } from 'dealwright/key-value';
import { createMemoryStore } from 'dealwright/memory';
import { describe, expect, it } from 'vitest';
import { createPair } from '../adapters/http-store/pair.js';
import { createSortedMap } from '../adapters/key-value/sorted-map.js';
import { brokenJudgement } from '../kit/broken-judgement.js';
import { brokenRaces } from '../kit/broken-races.js';
import { brokenWrites } from '../kit/broken-writes.js';
import { broken } from '../kit/store-parts.js';
import { expectOrder, explain, raceSeeds } from './explain.js';
import { race } from './race.js';

const three = [1, 2, 3];
const stores = {
  memory: () => {
    const store = createMemoryStore();
    return three.map(() => store);
  },
  'key-value': () => {
    const map = createSortedMap();
    return three.map(() => createKeyValueStore(map));
  },
  HTTP: () => {
    const store = createMemoryStore();
    return three.map(() => createPair(store).store);
  },
} as const;

describe.each(Object.entries(stores))('50 commands at once on one deal over %s', (_, create) => {
  it.each(raceSeeds)('are what some order of them explains: seed %i', async (seed) => {
    const { outcomes, beaten, events } = await expectOrder(create(), seed);
    // a race that nobody loses, or in which nothing happens, would prove little
    expect(beaten).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(0);
    expect(outcomes.some(({ sent }) => sent.isErr())).toBe(true);
  });
});

const faults = { ...brokenJudgement, ...brokenRaces, ...brokenWrites };

it.each([
  'judges a version, and writes a moment later',
  'ignores where',
  'loses a write whose answer was lost',
  'forgets all events of a write but the first',
])('50 commands at once find out a store that %s', async (name) => {
  const [fault] = faults[name] ?? [() => ({})];
  const found: string[] = [];
  for (let seed = 1; seed <= 20 && found.length === 0; seed += 1) {
    const store = broken(fault)();
    found.push(...explain(await race([store, store, store], seed)));
  }
  expect(found).not.toEqual([]);
});
