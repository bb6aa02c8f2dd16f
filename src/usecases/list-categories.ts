import type { Result } from 'neverthrow';
import type { CategoryListEntry } from '../api/answers.js';
import type { Unavailable } from '../domain/errors.js';
import type { GuardedCatalogue } from '../ports/guarded-ports.js';
import { type Call, unavailableError } from './context.js';

/** The category tree in the caller's language (interface, List categories and List category tree). */
export async function listCategories(
  { ports }: { readonly ports: GuardedCatalogue },
  call: Call,
): Promise<Result<readonly CategoryListEntry[], Unavailable>> {
  const { tenant, language } = call;
  const found = await ports.categoryTree(tenant);
  return found
    .map((tree) =>
      tree.map(({ id, name, subcategories }) => ({
        id,
        name: name[language],
        subcategories: subcategories.map((each) => ({ id: each.id, name: each.name[language] })),
      })),
    )
    .mapErr((problem) => unavailableError(problem, call));
}
