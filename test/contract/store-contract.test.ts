import { unavailable } from 'dealwright/ports';
import { type ContractRunner, hammerStore, storeContract } from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { brokenJudgement } from '../kit/broken-judgement.js';
import { brokenLists } from '../kit/broken-lists.js';
import { brokenLogs } from '../kit/broken-logs.js';
import { brokenPrunes } from '../kit/broken-prunes.js';
import { brokenRaces } from '../kit/broken-races.js';
import { brokenReads } from '../kit/broken-reads.js';
import { brokenRecords } from '../kit/broken-records.js';
import { brokenWrites } from '../kit/broken-writes.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { broken, createGoodStore } from '../kit/store-parts.js';

const faults = Object.entries({
  ...brokenJudgement,
  ...brokenWrites,
  ...brokenRaces,
  ...brokenReads,
  ...brokenLists,
  ...brokenLogs,
  ...brokenRecords,
  ...brokenPrunes,
});

describe('the contract of stores', () => {
  it('passes a store without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    storeContract(runner, createGoodStore);
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(40);
  });

  it.each(faults)('finds a store that %s', async (_, [fault, foundBy]) => {
    const { runner, failures } = createCollectingRunner();
    storeContract(runner, broken(fault));
    expect(await failures(foundBy)).toEqual([foundBy]);
  });

  it.each([
    'ignores where',
    'does not tell the first answer',
    'checks first and acts later',
    'checks the bound first and appends later',
    'judges a version, and writes a moment later',
    'loses a write whose answer was lost',
    'forgets all events of a write but the first',
    'loses files when a deal is changed',
    'takes what has no value for any value',
    'lists records in one direction only',
    'gives events newest first',
    'shows what is due with the last first',
    'finds some deal, whatever the token',
  ])('finds by its hammer a store that %s, and tells the seed', async (name) => {
    const [, [fault]] = faults.find(([each]) => each === name) ?? ['', [() => ({})]];
    const store = broken(fault)();
    const hammered = hammerStore([store], { clients: 16, calls: 600, seed: 7 });
    await expect(hammered).rejects.toThrow('hammerStore failed with the seed 7');
  });

  it('says of a failure which law the store breaks, and its level', async () => {
    const levelOf = async (group: string, name: string) => {
      const { runner, reports } = createCollectingRunner();
      const [, [fault]] = faults.find(([each]) => each === name) ?? ['', [() => ({})]];
      storeContract(runner, broken(fault), { groups: [group] });
      const [failure] = [...(await reports())];
      const [title, said = ''] = failure ?? [];
      const [level, ...law] = said.split('\n')[0]?.split(' ') ?? [];
      expect(law[0]).toBe(`${title}:`);
      return level;
    };
    expect(await levelOf('what has ended', 'deletes all at once')).toBe('MUST');
    expect(await levelOf('what a list costs', 'looks at all deals for a page')).toBe('SHOULD');
  });

  it('runs the groups that are named, and throws for a name that no group has', () => {
    const found: string[] = [];
    const runner: ContractRunner = { describe: (name) => found.push(name), it: () => undefined };
    storeContract(runner, createGoodStore, { groups: ['events', 'writes'] });
    expect(found).toEqual(['store: writes', 'store: events']);
    expect(() => storeContract(runner, createGoodStore, { groups: ['event'] })).toThrow(
      /^store: there is no group 'event', but 'writes', .* 'events'/,
    );
  });

  it('says why a store failed, down to the last cause', async () => {
    const { runner, reports } = createCollectingRunner();
    storeContract(runner, () => {
      const lost = Object.assign(new Error('the line is down'), { code: 'ECONNRESET' });
      const cause = new RangeError('no answer of the driver', { cause: lost });
      const commit = () => unavailable({ outcome: 'unknown', cause });
      return { ...createGoodStore(), commit };
    });
    const failed = [...(await reports()).values()];
    expect(failed.length).toBeGreaterThan(5);
    for (const said of failed) {
      expect(said).toMatch(/RangeError.*no answer of the driver.*Error.*the line is down/);
      expect(said).toContain('ECONNRESET');
    }
  });

  it('ends soon with a seed, even if a counterexample is long to shrink', async () => {
    const random = '7/store/random-writes';
    let said = '';
    let reads = 0;
    const cases: (() => Promise<void>)[] = [];
    const runner: ContractRunner = {
      describe: (_, body) => body(),
      it: (name, body) => (name.startsWith(`${random}: `) ? cases.push(body) : undefined),
    };
    storeContract(runner, () => {
      const store = createGoodStore();
      const after: typeof store.events.after = async (...given) => {
        reads += 1;
        for (const end = Date.now() + 10; Date.now() < end; );
        const read = await store.events.after(...given);
        return read.map((page) =>
          typeof page === 'string' ? page : { ...page, events: page.events.slice(0, 1) },
        );
      };
      return { ...store, events: { ...store.events, after } };
    });
    try {
      await cases[0]?.();
    } catch (error) {
      said = String(error);
    }
    expect(said).toMatch(/seed: -?\d+/);
    expect(said).toMatch(/the events in the end[\s\S]*expected/);
    // thousands, without an end
    expect(reads).toBeLessThan(600);
  });

  it('closes the store of every case, though the case fails', async () => {
    let open = 0;
    const { runner, failures, count } = createCollectingRunner();
    storeContract(runner, () => {
      open += 1;
      const store = createGoodStore();
      return {
        ...store,
        events: { ...store.events, after: () => Promise.reject(new Error('down')) },
        close: async () => {
          open -= 1;
        },
      };
    });
    expect((await failures()).length).toBeGreaterThan(count() / 3);
    expect(open).toBe(0);
  });
});
