import type { Language } from '../input/messages.js';

/** A subcategory, which classifies a deal (interface, What the service does, 3). */
export interface Subcategory {
  readonly id: number;
  readonly name: Readonly<Record<Language, string>>;
}

/** A main category with its subcategories. */
export interface MainCategory extends Subcategory {
  readonly subcategories: readonly Subcategory[];
}

/** The two levels of categories. */
export type CategoryTree = readonly MainCategory[];
