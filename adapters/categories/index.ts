export { createCategoryCatalogue, parseCategoryTree } from './category-catalogue.js';
export { defaultCategoryTree } from './default-category-tree.js';
