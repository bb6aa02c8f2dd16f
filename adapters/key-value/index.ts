export type { KeyRange, KeyValueLike, KeyValueOperation } from './key-value-like.js';
export { createKeyValueStore } from './key-value-store.js';
