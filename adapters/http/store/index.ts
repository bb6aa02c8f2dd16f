export { createHttpStore, type HttpStoreOptions } from './http-store.js';
export {
  createStoreHandler,
  type StoreErrorReport,
  type StoreHandlerOptions,
} from './store-handler.js';
