export { createClient } from './create-client.js';
export type {
  AbortSignalLike,
  BodyLike,
  FetchLike,
  RequestLike,
  ResponseLike,
} from './fetch-like.js';
export type { ClientOptions } from './settings.js';
