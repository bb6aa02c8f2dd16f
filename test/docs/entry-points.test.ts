import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/reference/entry-points.md lists the entry points of package.json, and no others', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const page = readFileSync('docs/reference/entry-points.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(dealwright[^`]*)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(
    Object.keys(exports)
      .map((path) => `dealwright${path.slice(1)}`)
      .sort(),
  );
});
