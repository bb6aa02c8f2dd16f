import type { CategoryTree, Subcategory } from '../domain/deals/category.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** The source of the category tree. */
export interface CategoryCatalogue {
  tree(tenant: Tenant): Answer<CategoryTree>;
  subcategory(tenant: Tenant, id: number): Answer<Subcategory | undefined>;
}
