import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The paths in the map of CONTRIBUTING.md. */
function mapped(): string[] {
  const [, map = ''] =
    /^```text\n(src\/[\s\S]*?)^```/m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  let root = '';
  return map.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w./-]+\/ ?|[\w-]+\.ts)+)/.exec(line) ?? [];
    if (names === '') return [];
    const paths = names
      .trim()
      .split(' ')
      .map((name) => name.replace(/\/$/, ''));
    if (indent !== '') return paths.map((path) => `${root}/${path}`);
    root = paths[0] ?? '';
    return paths;
  });
}

const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => (path === '.' ? name : `${path}/${name}`));

it('the map of CONTRIBUTING.md names folders that exist, and all of them', () => {
  const named = mapped();
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  // files that git ignores need not be in the map
  const kept = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  const isKept = (folder: string) => kept.some((file) => file.startsWith(`${folder}/`));
  const folders = ['.', 'src', 'spec', 'adapters', 'adapters/http', 'examples', 'test'].flatMap(
    foldersOf,
  );
  const mirrors = (folder: string) =>
    ['src', 'adapters', '.'].some((root) => existsSync(folder.replace(/^test/, root)));
  const missing = folders.filter(
    (folder) =>
      isKept(folder) &&
      !/^\./.test(folder) &&
      folder !== 'adapters/http' &&
      !named.includes(folder) &&
      !(folder.startsWith('test/') && mirrors(folder)),
  );
  expect(missing).toEqual([]);
});
