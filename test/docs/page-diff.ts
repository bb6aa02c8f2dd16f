import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The diff on a page, and the files that it changes. */
export function diffOf(page: string): { readonly diff: string; readonly files: string[] } {
  const [, diff = ''] = page.match(/^```diff\n([\s\S]*?\n)```$/m) ?? [];
  const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
  return { diff, files };
}

/** Tests that the diff of a page applies to the sources, and adds this word to each of its files. */
export function itApplies({ diff, files }: ReturnType<typeof diffOf>, word: string): void {
  it('shows a diff that applies to the sources', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-diff-'));
    try {
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) cpSync(file, join(folder, file));
      execFileSync('git', ['apply', '-'], { cwd: folder, input: diff });
      for (const file of files) {
        expect(readFileSync(file, 'utf8')).not.toContain(word);
        expect(readFileSync(join(folder, file), 'utf8')).toContain(word);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
