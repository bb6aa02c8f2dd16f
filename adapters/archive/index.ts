export type { ArchiveContents, ArchiveProgress } from './format.js';
export { type FromNdjsonOptions, fromNdjson } from './from-ndjson.js';
export { type ToNdjsonOptions, toNdjson } from './to-ndjson.js';
