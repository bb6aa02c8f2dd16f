import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/how-to/implement-in-another-language.md', root), 'utf8');
const folder = new URL('examples/python-server/', root);
const server = readdirSync(folder)
  .filter((name) => name.endsWith('.py'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');
const excerpts = [...page.matchAll(/```python\n(.*?)```/gs)].map(([, text = '']) => text);

it('shows several parts of the server', () => expect(excerpts.length).toBeGreaterThanOrEqual(5));

it.each(excerpts)('shows code that is in the server: %s', (excerpt) => {
  expect(server).toContain(excerpt);
});
