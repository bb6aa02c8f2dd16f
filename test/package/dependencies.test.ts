import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

it('each package that a user installs has its row in ADR 0002', () => {
  const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
  const record = read('docs/adr/0002-runtime-dependencies.md');
  const rows = [...record.matchAll(/^\| (\S+) \d+/gm)].map(([, name]) => name);
  expect(Object.keys(dependencies).filter((name) => !rows.includes(name))).toEqual([]);
  expect(Object.keys(peerDependencies).filter((name) => !record.includes(name))).toEqual([]);
});
