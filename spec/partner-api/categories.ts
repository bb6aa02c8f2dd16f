import type { CategoryListEntry } from '../../src/api/answers.js';
import type { CategoryTree } from '../../src/domain/deals/category.js';
import type { Language } from '../../src/domain/input/messages.js';
import { check, equal, okOf } from '../expectations.js';
import { everyStranger, group, strangers } from './subject.js';

/** Decision 4: two levels, named in the language of the call. */
export const categories = group(
  'categories',
  {
    must: {
      '4/categories/two-levels':
        'The categories are main categories with subcategories, each with a positive id, unique on its level, and a name.',
      '4/categories/in-both-languages':
        'The categories have the same ids in the same order in both languages, and names in the language of the call.',
    },
    should: {
      '4/categories/same-for-all': 'All partners see the same categories in both environments.',
    },
  },
  (define) => {
    define('4/categories/two-levels', async ({ api, subcategory }) => {
      const tree = okOf(await api.listCategories(), 'the categories');
      wellFormed(tree);
      check(
        tree.some((main) => main.subcategories.some(({ id }) => id === subcategory)),
        `the subcategory ${subcategory} is there`,
      );
    });

    define('4/categories/in-both-languages', async ({ api, categories }) => {
      const tree = okOf(await api.listCategories(), 'in English');
      const inPolish = okOf(await api.listCategories({ language: 'pl' }), 'in Polish');
      wellFormed(inPolish);
      equal(idsOf(inPolish), idsOf(tree), 'the ids, in their order');
      equal(okOf(await api.listCategories({ language: 'en' }), 'again'), tree, 'in English');
      if (categories === undefined) return;
      equal(tree, namedIn('en', categories), 'the names in English');
      equal(inPolish, namedIn('pl', categories), 'the names in Polish');
    });

    for (const stranger of everyStranger) {
      define(
        '4/categories/same-for-all',
        async ({ api, [stranger]: view }) => {
          const tree = okOf(await api.listCategories(), 'the categories');
          equal(okOf(await view.listCategories(), 'the categories'), tree, 'the same');
        },
        strangers[stranger],
      );
    }
  },
);

function wellFormed(tree: readonly CategoryListEntry[]): void {
  const subcategories = tree.flatMap((main) => main.subcategories);
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
}

function idsOf(tree: readonly CategoryListEntry[]): unknown {
  return tree.map(({ id, subcategories }) => [id, subcategories.map((each) => each.id)]);
}

function namedIn(language: Language, tree: CategoryTree): readonly CategoryListEntry[] {
  return tree.map(({ id, name, subcategories }) => ({
    id,
    name: name[language],
    subcategories: subcategories.map((each) => ({ id: each.id, name: each.name[language] })),
  }));
}
