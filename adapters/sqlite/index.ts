export type { ArchiveRecord, StoreArchive } from 'dealwright/ports';
export {
  type TransactionFailure,
  type TransactionState,
  transactionAfter,
} from '../sql/host-transaction.js';
export type { Migration, MigrationRefusal, MigrationReport } from '../sql/migrations.js';
export type { StatementReport, StoreHooks } from '../sql/observe.js';
export { createSqliteArchive } from './archive.js';
export {
  migrateSqlite,
  missingMigrations,
  type SqliteMigrationOptions,
  sqliteMigrations,
  sqlitePruning,
} from './migrate.js';
export type { SqliteStoreOptions } from './options.js';
export type { SqliteLike, SqliteStatementLike, SqliteValue } from './sqlite-like.js';
export { createSqliteStore, type SqliteStore } from './sqlite-store.js';
