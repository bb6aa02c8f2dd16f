import type { Result } from 'neverthrow';
import type { CategoryListEntry } from '../api/answers.js';
import type { PortProblem } from '../ports/answer.js';
import type { GuardedCatalogue } from '../ports/guarded-ports.js';
import type { Call } from './context.js';

/** The category tree in the caller's language (interface, List categories and List category tree). */
export async function listCategories(
  { ports }: { readonly ports: GuardedCatalogue },
  { tenant, language }: Call,
): Promise<Result<readonly CategoryListEntry[], PortProblem>> {
  const found = await ports.categoryTree(tenant);
  return found.map((tree) =>
    tree.map(({ id, name, subcategories }) => ({
      id,
      name: name[language],
      subcategories: subcategories.map((each) => ({ id: each.id, name: each.name[language] })),
    })),
  );
}
