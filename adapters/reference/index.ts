export type { PageFile } from '../shared/page-file.js';
export { createReferencePage, type ReferencePage } from './reference-page.js';
