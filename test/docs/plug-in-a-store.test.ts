import { readFileSync } from 'node:fs';
import { storeContract } from 'dealwright/spec';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRecords } from '../kit/broken-records.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';
import { broken } from '../kit/store-parts.js';

const page = readFileSync('docs/how-to/plug-in-a-store.md', 'utf8');
const [fault] = brokenRecords['says that nothing equals null, as SQL does'] ?? [];
const settings = fc.readConfigureGlobal();

/** The message of the last law of a group, which the store of the page breaks. */
async function lastFailure(group: string): Promise<string> {
  if (fault === undefined) throw new Error('no store has the mistake of the page');
  const { runner, reports } = createCollectingRunner();
  storeContract(runner, broken(fault), { groups: [group] });
  return [...(await reports()).values()].at(-1) ?? '';
}

/** What is the same in every failure of a random law. */
const formOf = (text: string) =>
  text
    .replace(/seed: -?\d+, path: "[\d:]+"/, 'seed, path')
    .replace(/(?<=Counterexample: ).*/, '')
    .replace(/(?<="name":"Error","message":").*/, '')
    .replace(/\d+ (?=tests|time)/g, '');

/** The random run that failed, and the way from there to the counterexample. */
const pathOf = (said: string) => /path: "([\d:]+)"/.exec(said)?.[1] ?? '';

describe('the page about stores of your own', () => {
  afterEach(() => {
    fc.configureGlobal(settings);
  });

  it('shows a failure as the contract prints it', async () => {
    expect(page).toContain(`\nError: ${await lastFailure('records by their keys')}\n`);
  });

  it('shows a random failure, which its seed repeats', async () => {
    const seed = Number(/{ seed: (-?\d+)/.exec(page)?.[1]);
    expect(page).toContain(`fc.configureGlobal({ seed: ${seed} });`);
    fc.configureGlobal({ ...settings, seed });
    const group = 'random writes against a model';
    const [said, again] = [await lastFailure(group), await lastFailure(group)];
    expect(formOf(page)).toContain(`\nError: ${formOf(said)}\n`);
    // the search for a shorter counterexample ends by the time, so one of them may have come further
    const [short = '', long = ''] = [said, again].map(pathOf).sort((a, b) => a.length - b.length);
    expect(short).not.toBe('');
    expect(long.slice(0, short.length)).toBe(short);
  });
});
