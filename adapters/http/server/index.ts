export type { WireErrorCode } from '../wire/problem.js';
export type { ApiVersion } from '../wire/route.js';
export { createHandler } from './handler.js';
export type { Handler, HostAnswer, HostCaller, HttpRequest, HttpResponse } from './messages.js';
export type {
  Deprecation,
  ErrorReport,
  HandlerOptions,
  PageFilesLike,
  RequestReport,
} from './options.js';
export { createFetchHandler, type FetchHandlerOptions } from './web.js';
export type { ContextOf } from './wiring.js';
