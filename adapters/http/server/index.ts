export type { WireErrorCode } from '../wire/problem.js';
export type { ApiVersion } from '../wire/route.js';
export { createHandler } from './handler.js';
export type { Handler, HttpRequest, HttpResponse } from './messages.js';
export type {
  Deprecation,
  ErrorReport,
  HandlerOptions,
  ReferencePageLike,
  RequestReport,
} from './options.js';
export { createFetchHandler } from './web.js';
