import { err, ok, type Result } from 'neverthrow';
import type { CategoryListEntry } from '../api/answers.js';
import type { CategoryTree } from '../domain/category.js';
import type { Unavailable } from '../domain/errors.js';
import type { Language } from '../domain/messages.js';
import type { Tenant } from '../domain/tenant.js';
import type { CatalogueContext } from './classify.js';
import { languageOf, portFailed, promiseBroken } from './context.js';

/** The category tree in the caller's language (interface, List categories and List category tree). */
export async function listCategories(
  { ports, guard }: CatalogueContext,
  tenant: Tenant,
  options: { readonly language?: Language } | undefined,
): Promise<Result<readonly CategoryListEntry[], Unavailable>> {
  const language = languageOf(options);
  const found = await guard('none', () => ports.categories.tree(tenant));
  if (found.isErr()) {
    return err(portFailed('categories.tree', { ...found.error, outcome: 'none' }, { language }));
  }
  try {
    return ok(inLanguage(found.value, language));
  } catch (cause) {
    return err(promiseBroken('categories.tree', cause, 'none', { language }));
  }
}

function inLanguage(tree: CategoryTree, language: Language): readonly CategoryListEntry[] {
  return tree.map(({ id, name, subcategories }) => ({
    id,
    name: name[language],
    subcategories: subcategories.map((each) => ({ id: each.id, name: each.name[language] })),
  }));
}
