import { createFetchHandler, type Handler } from 'dealwright/http';

export function mountInWebStandard(handler: Handler) {
  return { fetch: createFetchHandler(handler) };
}
