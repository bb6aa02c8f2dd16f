import type { Language } from './messages.js';

/**
 * A subcategory: what a deal is classified by (interface, What the service does, 3).
 *
 * @example
 * ```ts
 * import type { Subcategory } from 'dealwright';
 *
 * const subcategory: Subcategory = { id: 75, name: { en: 'Copywriting', pl: 'Copywriting' } };
 * ```
 */
export interface Subcategory {
  readonly id: number;
  readonly name: Readonly<Record<Language, string>>;
}

/**
 * A main category with its subcategories.
 *
 * @example
 * ```ts
 * import type { MainCategory } from 'dealwright';
 *
 * const texts: MainCategory = {
 *   id: 7,
 *   name: { en: 'Texts', pl: 'Teksty' },
 *   subcategories: [{ id: 75, name: { en: 'Copywriting', pl: 'Copywriting' } }],
 * };
 * ```
 */
export interface MainCategory extends Subcategory {
  readonly subcategories: readonly Subcategory[];
}

/**
 * The two levels of categories.
 *
 * @example
 * ```ts
 * import type { CategoryTree } from 'dealwright';
 *
 * const count = (tree: CategoryTree): number => tree.flatMap((main) => main.subcategories).length;
 * ```
 */
export type CategoryTree = readonly MainCategory[];
