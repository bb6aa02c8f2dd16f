import { createKeyValueStore } from 'dealwright/key-value';
import { createMemoryStore } from 'dealwright/memory';
import { expect, it } from 'vitest';
import { createPair } from '../adapters/http-store/pair.js';
import { createSortedMap } from '../adapters/key-value/sorted-map.js';
import { brokenJudgement } from '../kit/broken-judgement.js';
import { brokenRaces } from '../kit/broken-races.js';
import { brokenWrites } from '../kit/broken-writes.js';
import { broken } from '../kit/store-parts.js';
import { describeRaces, explain } from './explain.js';
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

for (const [name, create] of Object.entries(stores)) describeRaces(name, create);

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
