import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const page = readFileSync('docs/how-to/add-a-command.md', 'utf8');
const [, diff = ''] = page.match(/^```diff\n([\s\S]*?\n)```$/m) ?? [];
const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
const lines = diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));

/** What a new command with its own event may need. */
const [mostFiles, mostLines] = [4, 40];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-add-a-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('shows a diff that applies to the sources', () => {
  for (const file of files) cpSync(file, join(folder, file));
  execFileSync('git', ['apply', '-'], { cwd: folder, input: diff });
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toContain('remind');
    expect(readFileSync(join(folder, file), 'utf8')).toContain('remind');
  }
});

it('needs few lines in few files, each in the table of the page', () => {
  expect(files.length).toBeLessThanOrEqual(mostFiles);
  expect(lines.length).toBeLessThanOrEqual(mostLines);
  expect(lines.length).toBeGreaterThan(10);
  for (const file of files) expect(page).toContain(`| \`${file}\` |`);
});
