export { createReferencePage, type PageFile, type ReferencePage } from './reference-page.js';
