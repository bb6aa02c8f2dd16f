export { createHandler } from './handler.js';
export type { Handler, HttpRequest, HttpResponse } from './messages.js';
export type {
  Deprecation,
  ErrorReport,
  HandlerOptions,
  ReferencePageLike,
  RequestReport,
} from './options.js';
export type { WireErrorCode } from './problem.js';
export type { ApiVersion } from './routes.js';
export { createFetchHandler } from './web.js';
