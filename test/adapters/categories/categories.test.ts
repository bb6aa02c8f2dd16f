import type { CategoryTree } from 'dealwright';
import {
  createCategoryCatalogue,
  defaultCategoryTree,
  parseCategoryTree,
} from 'dealwright/categories';
import { describe, expect, it } from 'vitest';
import { tenant } from '../../kit/requests.js';

const subcategories = defaultCategoryTree.flatMap((main) => main.subcategories);

describe('the default tree', () => {
  it('has at least 12 main categories and 90 subcategories, 75 among them', () => {
    expect(defaultCategoryTree.length).toBeGreaterThanOrEqual(12);
    expect(subcategories.length).toBeGreaterThanOrEqual(90);
    expect(subcategories.filter(({ id }) => id === 75)).toHaveLength(1);
  });

  it('has ids of their own for all, on both levels together', () => {
    const ids = [...defaultCategoryTree, ...subcategories].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
  });

  it('has something in each main category', () => {
    expect(defaultCategoryTree.filter((main) => main.subcategories.length === 0)).toEqual([]);
  });

  it.each(['en', 'pl'] as const)('names all in %s, no two alike', (language) => {
    const names = [...defaultCategoryTree, ...subcategories].map(({ name }) => name[language]);
    expect(names.every((name) => name.trim() === name && name !== '')).toBe(true);
    const own = subcategories.map(({ name }) => name[language].toLowerCase());
    expect(new Set(own).size).toBe(own.length);
  });

  it('is a tree that parses', () => {
    const json: unknown = JSON.parse(JSON.stringify(defaultCategoryTree));
    expect(parseCategoryTree(json)._unsafeUnwrap()).toEqual(defaultCategoryTree);
  });
});

const name = { en: 'Texts', pl: 'Teksty' };

describe('parseCategoryTree', () => {
  it('takes an empty tree, and one without subcategories', () => {
    expect(parseCategoryTree([])._unsafeUnwrap()).toEqual([]);
    const bare = [{ id: 1, name, subcategories: [] }];
    expect(parseCategoryTree(bare)._unsafeUnwrap()).toEqual(bare);
  });

  it('leaves out what it does not know', () => {
    const extra = [{ id: 1, name: { ...name, de: 'Texte' }, subcategories: [], icon: 'x' }];
    expect(parseCategoryTree(extra)._unsafeUnwrap()).toEqual([{ id: 1, name, subcategories: [] }]);
  });

  it('lets a main category and a subcategory have the same id', () => {
    expect(parseCategoryTree([{ id: 1, name, subcategories: [{ id: 1, name }] }]).isOk()).toBe(
      true,
    );
  });

  it.each([
    [undefined, ['the tree is a list of main categories, not undefined']],
    [{}, ['the tree is a list of main categories, not Object']],
    [[7], ['0 is an object with "id", "name" and "subcategories", not 7']],
    [[{ id: '1', name, subcategories: [] }], ['0.id is a number, not "1"']],
    [[{ id: 1.5, name, subcategories: [] }], ['0.id is an integer, not 1.5']],
    [[{ id: 0, name, subcategories: [] }], ['0.id is > 0, not 0']],
    [
      [{ id: 1, name: 'Texts', subcategories: [] }],
      ['0.name is an object with "en" and "pl", not "Texts"'],
    ],
    [[{ id: 1, name: { en: 'Texts', pl: '' }, subcategories: [] }], ['0.name.pl is not empty']],
    [
      [{ id: 1, name, subcategories: {} }],
      ['0.subcategories is a list of subcategories, not Object'],
    ],
    [[{ id: 1, name: { en: 'x' } }], ['0.name.pl is missing', '0.subcategories is missing']],
    [
      [{ id: 1, name, subcategories: [{ id: 2, name: { en: 7, pl: 'x' } }] }],
      ['0.subcategories.0.name.en is a text, not 7'],
    ],
    [
      [
        { id: 1, name, subcategories: [] },
        { id: 1, name, subcategories: [] },
      ],
      ['the tree has main categories with unique ids: 1 appears more than once'],
    ],
    [
      [
        { id: 1, name, subcategories: [{ id: 3, name }] },
        { id: 2, name, subcategories: [{ id: 3, name }] },
      ],
      ['the tree has subcategories with unique ids: 3 appears more than once'],
    ],
    [
      [
        { id: 'a', name, subcategories: [] },
        { id: -1, name, subcategories: [] },
      ],
      ['0.id is a number, not "a"', '1.id is > 0, not -1'],
    ],
  ])('says of %j what should be where', (json, lines) => {
    expect(parseCategoryTree(json)._unsafeUnwrapErr()).toEqual(lines);
  });

  it('says of an invalid subcategory what it should be', () => {
    const lines = parseCategoryTree([{ id: 1, name, subcategories: [7] }])._unsafeUnwrapErr();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^0\.subcategories\.0 /);
  });
});

describe('a catalogue', () => {
  const tree = (): CategoryTree =>
    structuredClone([{ id: 1, name, subcategories: [{ id: 75, name: { ...name } }] }]);

  it('gives its tree and finds its subcategories, and no others', async () => {
    const catalogue = createCategoryCatalogue(tree());
    expect((await catalogue.tree(tenant))._unsafeUnwrap()).toEqual(tree());
    const found = await catalogue.subcategory(tenant, 75);
    expect(found._unsafeUnwrap()).toEqual({ id: 75, name });
    for (const id of [1, 0, -75, 74, 75.5, Number.NaN]) {
      expect((await catalogue.subcategory(tenant, id))._unsafeUnwrap()).toBeUndefined();
    }
  });

  it('shares nothing with who made it and who asks', async () => {
    const given = tree();
    const catalogue = createCategoryCatalogue(given);
    const scribble = (main: CategoryTree[number] | undefined) => {
      Object.assign(main?.subcategories[0]?.name ?? {}, { en: 'scribbled' });
      Object.assign(main?.subcategories[0] ?? {}, { id: 76 });
    };
    scribble(given[0]);
    scribble((await catalogue.tree(tenant))._unsafeUnwrap()[0]);
    const found = (await catalogue.subcategory(tenant, 75))._unsafeUnwrap();
    Object.assign(found?.name ?? {}, { en: 'scribbled' });
    expect((await catalogue.tree(tenant))._unsafeUnwrap()).toEqual(tree());
    expect((await catalogue.subcategory(tenant, 75))._unsafeUnwrap()).toEqual({ id: 75, name });
  });
});

it('makes no catalogue over what is no tree, and says all that is wrong with it', () => {
  const tree = [{ id: 0, name: { en: 'Texts' } }];
  expect(() => createCategoryCatalogue(tree as never)).toThrow(
    new TypeError(
      'createCategoryCatalogue: 0.id is > 0, not 0; 0.name.pl is missing; 0.subcategories is missing',
    ),
  );
});
