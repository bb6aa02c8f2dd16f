import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diffOf, itApplies } from './page-diff.js';

const page = readFileSync('docs/how-to/add-a-field.md', 'utf8');
const shown = diffOf(page);
const { files } = shown;
/** Fewer is better: the compiler or a failing test must point to each further file. */
const mostFiles = 6;

itApplies(shown, 'purchase_order');

it('lists the production files of the diff, each with what finds it', () => {
  const listed = [...page.matchAll(/^\| `(.+?)` \| .+ \| .+ \|$/gm)].map(([, file]) => file);
  expect(listed.sort()).toEqual([...files].sort());
  expect(files.every((file) => /^(src|adapters)\//.test(file))).toBe(true);
  expect(files.length).toBeGreaterThan(0);
  expect(listed.length).toBeLessThanOrEqual(mostFiles);
});
