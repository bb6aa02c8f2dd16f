export type { StatementReport, StoreHooks } from '../sql/observe.js';
