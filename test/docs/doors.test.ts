import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/reference/doors.md lists the doors of package.json, and no others', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const page = readFileSync('docs/reference/doors.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(dealwright[^`]*)` \|/gm)].map(([, door]) => door);
  expect(listed.sort()).toEqual(
    Object.keys(exports)
      .map((door) => `dealwright${door.slice(1)}`)
      .sort(),
  );
});
