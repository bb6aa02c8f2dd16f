import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const page = readFileSync('docs/reference/decisions.md', 'utf8');
const known = new Set(
  [...page.matchAll(/^(?:## (\d+)\. |\| (\d+\.\d+) \| )/gm)].map(
    ([, section, row]) => section ?? row,
  ),
);

/** Every number in a citation: "decision 2.7", "decisions 2.1 to 2.3, and 4". */
function citedIn(text: string): readonly string[] {
  // a citation may go on in the next line of a comment
  const joined = text.replace(/\s+(?:\*|\/\/)?\s*/g, ' ');
  const lists = joined.matchAll(/\bdecisions? (\d+(?:\.\d+)?(?:(?:,| and| to| or)+ \d+\.\d+)*)/gi);
  return [...lists].flatMap(([, list = '']) => list.match(/\d+(?:\.\d+)?/g) ?? []);
}

const cited = ['src', 'spec', 'adapters', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .flatMap((file) => citedIn(readFileSync(file, 'utf8')).map((number) => ({ file, number }))),
);

it('has every decision that the code cites', () => {
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
  expect(cited.length).toBeGreaterThan(50);
});
