import {
  type CategoryCatalogue,
  type CategoryTree,
  checkOptions,
  type Subcategory,
} from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';

/**
 * A catalogue over a tree of two levels. It is read once: change the tree by making another. A tree
 * that `parseCategoryTree` refuses throws a `TypeError` with all its problems.
 *
 * @example
 * ```ts
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 *
 * const categories = createCategoryCatalogue(defaultCategoryTree);
 * ```
 */
export function createCategoryCatalogue(tree: CategoryTree): CategoryCatalogue {
  const parsed = parseCategoryTree(tree);
  const problems = parsed.isErr() ? parsed.error : [];
  checkOptions(
    'createCategoryCatalogue',
    Object.fromEntries(problems.map((each) => [each, false])),
  );
  const copy = structuredClone(parsed.unwrapOr([]));
  const subcategories = new Map<number, Subcategory>(
    copy.flatMap((main) => main.subcategories.map((each) => [each.id, each] as const)),
  );
  return {
    tree: () => ok(structuredClone(copy)),
    subcategory(_tenant, id) {
      const found = subcategories.get(id);
      return ok(found && { id: found.id, name: { ...found.name } });
    },
  };
}

const id = v.pipe(v.number('is a number'), v.safeInteger('is an integer'), v.minValue(1, 'is > 0'));
const text = v.pipe(v.string('is a text'), v.minLength(1, 'is not empty'));
const name = v.object({ en: text, pl: text }, 'is an object with "en" and "pl"');

const listSchema = v.array(
  v.object(
    { id, name, subcategories: v.array(v.object({ id, name }), 'is a list of subcategories') },
    'is an object with "id", "name" and "subcategories"',
  ),
  'is a list of main categories',
);
type List = v.InferOutput<typeof listSchema>;

/** Checks that no two of these have the same id. */
function uniqueIds(what: string, nodesOf: (list: List) => readonly { readonly id: number }[]) {
  const repeated = (list: List) => {
    const seen = new Set<number>();
    const ids = nodesOf(list).map(({ id }) => id);
    return ids.filter((id) => seen.size === seen.add(id).size);
  };
  return v.check(
    (list: List) => repeated(list).length === 0,
    ({ input }) => `has ${what} with unique ids: ${repeated(input)} appears more than once`,
  );
}

const treeSchema = v.pipe(
  listSchema,
  uniqueIds('main categories', (list) => list),
  uniqueIds('subcategories', (list) => list.flatMap((main) => main.subcategories)),
);

/**
 * Reads a tree from parsed JSON: a list of `{ id, name: { en, pl }, subcategories: [{ id, name }] }`
 * with positive integer ids, unique on each level. For an invalid tree, each line of the error
 * names a place and what is expected there.
 *
 * @example
 * ```ts
 * import { parseCategoryTree } from 'dealwright/categories';
 *
 * const tree = parseCategoryTree(
 *   JSON.parse('[{"id":1,"name":{"en":"Texts","pl":"Teksty"},"subcategories":[]}]'),
 * );
 * tree.isOk(); // true
 * ```
 */
export function parseCategoryTree(json: unknown): Result<CategoryTree, readonly string[]> {
  const parsed = v.safeParse(treeSchema, json);
  if (parsed.success) return ok(parsed.output);
  return err(
    parsed.issues.map((issue) => {
      const path = v.getDotPath(issue);
      // the issue of a missing member has the words of the object, not those of the member
      if (path !== null && issue.received === 'undefined') return `${path} is missing`;
      const saysGiven = issue.type === 'check' || issue.type === 'min_length';
      return `${path ?? 'the tree'} ${issue.message}${saysGiven ? '' : `, not ${issue.received}`}`;
    }),
  );
}
