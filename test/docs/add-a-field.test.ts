import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const page = readFileSync('docs/how-to/add-a-field.md', 'utf8');
const [, diff = ''] = page.match(/^```diff\n([\s\S]*?\n)```$/m) ?? [];
const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
/** What the page says is generated is a file to add all the same. */
const generated = [...page.matchAll(/^`(.+?)` is not written by hand/gm)].map(([, file]) => file);

/** Fewer is better: one that is added here has to be found by the compiler or a failing test. */
const mostFiles = 8;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-add-a-field-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('shows a diff that applies to the sources', () => {
  for (const file of files) cpSync(file, join(folder, file));
  execFileSync('git', ['apply', '-'], { cwd: folder, input: diff });
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toContain('purchase_order');
    expect(readFileSync(join(folder, file), 'utf8')).toContain('purchase_order');
  }
});

it('lists the production files of the diff, each with what finds it', () => {
  const listed = [...page.matchAll(/^\| `(.+?)` \| .+ \| .+ \|$/gm)].map(([, file]) => file);
  expect(listed.sort()).toEqual([...files, ...generated].sort());
  expect(files.every((file) => /^(src|adapters)\//.test(file))).toBe(true);
  expect(files.length).toBeGreaterThan(0);
  expect(generated.length).toBeGreaterThan(0);
  expect(listed.length).toBeLessThanOrEqual(mostFiles);
});
