export { createPages, type PageLink, type Pages, type PagesOptions } from './pages.js';
