import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import {
  type ContractRunner,
  deliveryContract,
  fileStoreContract,
  partnerApiContract,
  type StoreSubject,
  storeArchiveContract,
  storeContract,
} from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { equal, show } from '../../spec/expectations.js';

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const unused = () => {
  throw new Error('no case runs');
};

/** Runs the case of a law of stores, and returns the outcome. */
async function runCase(law: string, limit: number, store: StoreSubject) {
  const cases: (() => Promise<void>)[] = [];
  const runner: ContractRunner = {
    describe: (_, body) => body(),
    it: (name, body) => (name.startsWith(`${law}: `) ? cases.push(body) : undefined),
    limit,
  };
  storeContract(runner, () => store);
  expect(cases.length).toBe(1);
  return cases[0]?.().then(
    () => 'passed',
    (error) => String(error),
  );
}

/** A store whose writes take a while, and counts of its calls. */
function createSlowStore(
  milliseconds: number,
  change?: (commit: Store['commit']) => Store['commit'],
) {
  const store = createMemoryStore();
  const seen = { begun: 0, underWay: 0, closedWith: -1 };
  const slow: Store['commit'] = async (...given) => {
    seen.begun += 1;
    seen.underWay += 1;
    await pause(milliseconds);
    const answer = await store.commit(...given);
    seen.underWay -= 1;
    return answer;
  };
  const close = async () => {
    seen.closedWith = seen.underWay;
  };
  return { seen, store: { ...store, commit: change?.(slow) ?? slow, close } };
}

describe('a case of a contract', () => {
  it.each([
    ['storeContract', storeContract],
    ['deliveryContract', deliveryContract],
    ['fileStoreContract', fileStoreContract],
    ['partnerApiContract', partnerApiContract],
    ['storeArchiveContract', storeArchiveContract],
  ] as const)('has a limit of its own: %s', (_, contract) => {
    const limitsWith = (more: Partial<ContractRunner>) => {
      const limits = new Set<number | undefined>();
      const runner: ContractRunner = {
        describe: (_, body) => body(),
        it: (_, __, limit) => limits.add(limit),
        ...more,
      };
      contract(runner, unused);
      return [...limits];
    };
    expect(limitsWith({})).toEqual([135_000]);
    expect(limitsWith({ limit: 300_000 })).toEqual([315_000]);
  });

  it.each(['7/store/random-writes', '6.4/store/race-of-files', '8/store/hammer'])(
    'ends at its limit, and writes nothing later: %s',
    async (law) => {
      const { seen, store } = createSlowStore(30);
      expect(await runCase(law, 400, store)).toContain('the case has not ended within 400 ms');
      expect(seen.closedWith).toBe(0);
      const { begun } = seen;
      expect(begun).toBeGreaterThan(0);
      await pause(100);
      expect(seen.begun).toBe(begun);
    },
  );

  it('that fails writes nothing later, and its store is closed once all calls are answered', async () => {
    let call = 0;
    const { seen, store } = createSlowStore(30, (commit) => (...given) => {
      call += 1;
      if (call === 20) throw new Error('the connection was lost');
      return commit(...given);
    });
    const law = '2.2/store/race-for-a-partner-id';
    expect(await runCase(law, 10_000, store)).toContain('the connection was lost');
    expect(seen.closedWith).toBe(0);
    const { begun } = seen;
    await pause(100);
    expect(seen.begun).toBe(begun);
  });

  it('ends although a call is never answered', async () => {
    const never = new Promise<never>(() => undefined);
    const { seen, store } = createSlowStore(0, () => () => never);
    const said = await runCase('6/store/race-for-a-version', 50, store);
    expect(said).toContain('the case has not ended within 50 ms');
    expect(seen.closedWith).toBe(0);
  });

  it('runs under node:test, which takes no limit there', async () => {
    const program = `
      import { describe, it } from 'node:test';
      import { createMemoryStore } from 'dealwright/memory';
      import { storeContract } from 'dealwright/spec';
      storeContract({ describe, it }, () => ({ ...createMemoryStore(), close: async () => undefined }));
    `;
    const args = ['--test-reporter=tap', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(60);
  });
});

describe('a failure', () => {
  it('shows 80 characters of each text, and where two values part', () => {
    const long = (end: string) => ({ row: { id: 1, description: `${'a'.repeat(20_000)}${end}` } });
    expect(() => equal(long('b'), long('c'), 'the deal')).toThrow(
      new Error(`the deal
  expected: {"row":{"id":1,"description":"${'a'.repeat(80)}... (20001 characters)"}}
  actual:   {"row":{"id":1,"description":"${'a'.repeat(80)}... (20001 characters)"}}
  they part at: the value.row.description, character 20001`),
    );
    expect(() => equal([1, 2], [1], 'both')).toThrow('they part at: the value.1');
    expect(() => equal('abc', 'abcd', 'both')).toThrow('they part at: the value, character 4');
    expect(() => equal([], {}, 'both')).toThrow('they part at: the value');
  });

  it('shows the whole of what an error says', () => {
    const message = 'the connection was lost '.repeat(10);
    expect(show({ cause: new Error(message) })).toContain(message);
  });
});
