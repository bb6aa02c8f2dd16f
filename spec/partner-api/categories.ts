import type { CategoryListEntry } from '../../src/api/answers.js';
import { check, equal, okOf } from '../expectations.js';
import type { DefineCase } from './subject.js';

/** Decision 4: two levels, named in the language of the call. */
export function categories(define: DefineCase): void {
  define('lists main categories with their subcategories, 75 among them', async ({ api }) => {
    const tree = okOf(await api.listCategories(), 'the categories');
    const subcategories = tree.flatMap((main) => main.subcategories);
    check(
      subcategories.some(({ id }) => id === 75),
      'the subcategory 75 is there',
    );
    for (const main of tree) {
      equal(Object.keys(main).sort(), ['id', 'name', 'subcategories'], 'the members of a category');
      for (const each of main.subcategories) {
        equal(Object.keys(each).sort(), ['id', 'name'], 'the members of a subcategory');
      }
    }
    for (const { id, name } of [...tree, ...subcategories]) {
      check(Number.isSafeInteger(id) && id > 0, 'an id is a positive integer');
      check(typeof name === 'string' && name !== '', 'a name is a text');
    }
    for (const level of [tree, subcategories]) {
      equal(new Set(level.map(({ id }) => id)).size, level.length, 'the number of different ids');
    }
  });

  define('gives everybody the same categories', async ({ api, other, live }) => {
    const tree = okOf(await api.listCategories(), 'the categories');
    for (const view of [api, other, live]) {
      equal(okOf(await view.listCategories(), 'the categories'), tree, 'the same');
    }
  });

  define('names categories in Polish on request', async ({ api }) => {
    const polish = { language: 'pl' } as const;
    const tree = okOf(await api.listCategories(), 'in English');
    const inPolish = okOf(await api.listCategories(polish), 'in Polish');
    equal(idsOf(inPolish), idsOf(tree), 'the ids, in their order');
    const levels = (of: typeof tree) => [of, of.flatMap((main) => main.subcategories)];
    for (const [index, level] of levels(tree).entries()) {
      const namesOf = (all: typeof level | undefined) =>
        JSON.stringify(all?.map((each) => each.name));
      check(
        namesOf(levels(inPolish)[index]) !== namesOf(level),
        `the names of level ${index + 1} are not those of the other language`,
      );
    }
    equal(okOf(await api.listCategories({ language: 'en' }), 'again'), tree, 'in English');
  });
}

function idsOf(tree: readonly CategoryListEntry[]): unknown {
  return tree.map(({ id, subcategories }) => [id, subcategories.map((each) => each.id)]);
}
