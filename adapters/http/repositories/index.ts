export { createHttpRepositories } from './create-repositories.js';
export type { UpstreamFailure, UpstreamFailureCode, UpstreamIssue } from './failures.js';
export type { HttpRepositoriesOptions } from './options.js';
