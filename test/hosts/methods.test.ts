import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';

/** The methods of the handler: HEAD beside GET, and OPTIONS everywhere. */
const methods = [
  ...new Set(['HEAD', 'OPTIONS', ...allRoutes().map(({ method }) => method)]),
].sort();

const files = ['hosts', 'docs/how-to', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:m?[jt]s|md)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file)),
);

/** The methods that a file exports by name, as some frameworks require. */
const exportedBy = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export \{(.*)\};$/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/\bas ([A-Z]+)\b/g)].map(([, name = '']) => name),
  );

it('a file of a host that exports a function for each method has all of them', () => {
  const found = files.map((file) => [file, exportedBy(file)] as const);
  const exporting = found.filter(([, names]) => names.length > 0);
  // the page of all hosts, and the project of Next
  expect(exporting.length).toBeGreaterThanOrEqual(2);
  for (const [file, names] of exporting) {
    expect([file, [...names].sort()]).toEqual([file, methods]);
  }
});
