import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diffOf, itApplies } from './page-diff.js';

const page = readFileSync('docs/how-to/add-a-command.md', 'utf8');
const shown = diffOf(page);
const { diff, files } = shown;
const lines = diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));

/** The most that a new command with its own event may need. */
const [mostFiles, mostLines] = [4, 40];

itApplies(shown, 'remind');

it('needs few lines in few files, each in the table of the page', () => {
  expect(files.length).toBeLessThanOrEqual(mostFiles);
  expect(lines.length).toBeLessThanOrEqual(mostLines);
  expect(lines.length).toBeGreaterThan(10);
  for (const file of files) expect(page).toContain(`| \`${file}\` |`);
});
