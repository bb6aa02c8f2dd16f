import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const packagesOf = (folder: string) => (read(`${folder}/package-lock.json`) as Lock).packages;
const tools = readdirSync('test/tools').map((name) => `test/tools/${name}`);

it('a clone installs at most 720 packages: what few tests need is installed by those', () => {
  const names = Object.keys(packagesOf('.')).filter((path) => path !== '');
  expect(names.length).toBeGreaterThan(100);
  expect(names.length).toBeLessThanOrEqual(720);
});

it.each(tools)('%s has exact versions', (folder) => {
  const { dependencies } = read(`${folder}/package.json`);
  expect(Object.keys(dependencies)).not.toEqual([]);
  for (const version of Object.values(dependencies))
    expect(version).toMatch(/^(?:npm:[^@]+@)?\d+\.\d+\.\d+$/);
});

it.each(['.', ...tools])('the lock file of %s names no registry', (folder) => {
  const packages = Object.entries(packagesOf(folder));
  expect(packages.length).toBeGreaterThan(1);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
