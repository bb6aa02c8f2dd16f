import { expect, it } from 'vitest';
import { functionNames, functions } from '../../../adapters/postgres/functions/index.js';
import { checksumOf } from '../../../adapters/sql/migrations.js';

const all = Object.values(functions);

it('shows the functions that are made of the table of fields', async () => {
  const text = all.map(({ sql }) => sql).join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot('functions.sql');
});

it.each(all)('names $name after its text', ({ name, sql }) => {
  const [, own = '', digest = '', text = ''] =
    /^create function "\$schema"\.(\w+_(\w+))(\([\s\S]*)$/.exec(sql) ?? [];
  expect(own).toBe(name);
  expect(checksumOf(text).slice(0, digest.length)).toBe(digest);
  expect(name).toMatch(new RegExp(functionNames));
});
