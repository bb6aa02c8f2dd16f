export type { S3Failure, S3FailureReason } from './exchange.js';
export { createS3FileStore } from './file-store.js';
export type { S3FileStoreOptions } from './options.js';
