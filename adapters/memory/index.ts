export { createMemoryFileStore } from './files.js';
export { createMemoryStore, type MemoryStore } from './memory-store.js';
