import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CaseFileName } from '../../spec/wire/case-files.js';
import { dataLaws, readFile } from '../../spec/wire/fields/index.js';

const names = readdirSync(new URL('../../spec/cases', import.meta.url))
  .filter((name) => name.endsWith('.json') && name !== 'schema.json')
  .map((name) => name.replace('.json', '') as CaseFileName);

/** Cases that no law sends: it would move the time of the partner by ten years. */
const unsent = ['advance_seconds/greatest-value'];

it('every file of cases is of a law', () => {
  const known = new Set(dataLaws.flatMap(({ where }) => Object.keys(where)));
  expect([...known].sort()).toEqual([...names].sort());
});

describe.each(names)('%s', (name) => {
  it('has a law for each case', async () => {
    const { file, casesOf } = await readFile(name);
    const judged = new Set([...dataLaws.flatMap(casesOf).map(({ id }) => id), ...unsent]);
    expect(file.cases.map(({ id }) => id).filter((id) => !judged.has(id))).toEqual([]);
  });

  it('has a case for each law about it', async () => {
    const { casesOf } = await readFile(name);
    const about = dataLaws.filter(({ where }) => name in where);
    const empty = about.filter((law) => casesOf(law).length === 0);
    expect(empty.map(({ id }) => id)).toEqual([]);
  });
});
