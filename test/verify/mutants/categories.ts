import { answering, askedWith, asking, pathOf, withMembers } from './changes.js';
import type { Mutant } from './mutant.js';

interface Category {
  id: unknown;
  name: unknown;
  subcategories?: Category[] | undefined;
}

/** Changes the tree, of the requests that fit. */
const inTree = (
  change: (tree: Category[]) => unknown,
  fits = (_: Request): boolean => true,
): Mutant['fetch'] =>
  answering((response, request) =>
    pathOf(request).endsWith('/category/') && fits(request)
      ? withMembers(response, ({ data, ...members }) => ({
          ...members,
          data: Array.isArray(data) ? change(data) : data,
        }))
      : response,
  );

const inFirst = (change: (category: Category) => Category) =>
  inTree(([first, ...rest]) => (first === undefined ? rest : [change(first), ...rest]));

const inFirstSub = (change: (category: Category) => Category) =>
  inFirst(({ subcategories: [first, ...rest] = [], ...main }) => ({
    ...main,
    subcategories: first === undefined ? rest : [change(first), ...rest],
  }));

const isVersion2 = (request: Request) => pathOf(request).startsWith('/api/2.0/');

const inPolish = ({ headers }: Request) => headers.get('accept-language') === 'pl';

/** A subcategory that no deal can have. */
const withUnknown = inTree((tree) => [
  ...tree,
  { id: 987_654, name: 'Old', subcategories: [{ id: 987_655, name: 'Older' }] },
]);

export const mutants: readonly Mutant[] = [
  {
    name: 'no member success',
    law: '4/categories/success',
    fetch: answering((response, request) =>
      pathOf(request) === '/api/1.0/category/'
        ? withMembers(response, ({ data }) => ({ data }))
        : response,
    ),
  },
  {
    name: 'a category without subcategories has no such member',
    law: '4/categories/main',
    fetch: inTree((tree) => [...tree, { id: 987_654, name: 'Other' }]),
  },
  {
    name: 'a subcategory has a title',
    law: '4/categories/sub',
    fetch: inFirstSub(({ id, name }) => ({ id, name: undefined, title: name })),
  },
  {
    name: 'ids as texts',
    law: '4/categories/ids',
    fetch: inFirstSub(({ id, name }) => ({ id: String(id), name })),
  },
  {
    name: 'names of each language',
    law: '4/categories/names',
    fetch: inFirst((main) => ({ ...main, name: { en: main.name, pl: main.name } })),
  },
  {
    name: 'a main category twice',
    law: '4/categories/unique-main',
    fetch: inTree((tree) => [...tree, { ...tree[0], subcategories: [] }]),
  },
  {
    name: 'a subcategory under two categories',
    law: '4/categories/unique-sub',
    fetch: inTree((tree) => [
      ...tree,
      { id: 987_654, name: 'Popular', subcategories: tree[0]?.subcategories?.slice(0, 1) },
    ]),
  },
  {
    name: 'the tree is on the next page',
    law: '4/categories/any',
    fetch: inTree(() => []),
  },
  {
    name: '2.0 has a new subcategory',
    law: '4/categories/same-tree',
    fetch: inTree((tree) => tree.slice(0, -1), isVersion2),
  },
  { name: 'a subcategory that no deal can have', law: '4/categories/known', fetch: withUnknown },
  ...(
    [
      ['English alone', 'language', () => 'en'],
      ['Polish is the default', 'language-default', (accept: string) => accept || 'pl'],
      [
        'the first language counts',
        'language-weights',
        (accept: string) => accept.split(/[,;]/)[0],
      ],
    ] as const
  ).map(([name, law, change]) => ({
    name,
    law: `1.8/categories/${law}`,
    fetch: asking((request) =>
      askedWith(request, {
        'accept-language': change(request.headers.get('accept-language') ?? ''),
      }),
    ),
  })),
  {
    name: 'in the order of their names',
    law: '1.8/categories/language-ids',
    fetch: inTree((tree) => tree.reverse(), inPolish),
  },
];
