export { createClient } from './create-client.js';
export type {
  AbortSignalLike,
  BlobLike,
  BodyLike,
  FetchLike,
  RequestLike,
  ResponseLike,
} from './fetch-like.js';
export type { ClientOptions } from './settings.js';
