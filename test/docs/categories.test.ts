import { readFileSync } from 'node:fs';
import { defaultCategoryTree } from 'dealwright/categories';
import { expect, test } from 'vitest';

const page = new URL('../../docs/reference/categories.md', import.meta.url);

/** The tree on the page. */
function tables(): string {
  return defaultCategoryTree
    .map(({ id, name, subcategories }) => {
      const rows = subcategories.map(
        (each) => `| ${each.id} | ${each.name.en} | ${each.name.pl} |`,
      );
      const head = `## ${id}. ${name.en} (${name.pl})`;
      return [head, '', '| Id | English | Polish |', '| ---: | --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
}

test('the page of the default categories shows all of them', () => {
  expect(readFileSync(page, 'utf8').split('<!-- tree -->\n')[1]).toBe(`${tables()}\n`);
});
