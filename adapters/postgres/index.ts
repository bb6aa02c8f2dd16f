export {
  type TransactionFailure,
  type TransactionState,
  transactionAfter,
} from '../sql/host-transaction.js';
export type { MigrationRefusal, MigrationReport } from '../sql/migrations.js';
export type { StatementReport, StoreHooks } from '../sql/observe.js';
export {
  type DistributionRefusal,
  type DistributionReport,
  distributePostgres,
  hasCitus,
  printDistribution,
} from './cluster/distribute.js';
export {
  fromPgliteNotifications,
  fromPgNotifications,
  fromPostgresJsNotifications,
  type NotificationsLike,
  type PgListenerLike,
  type PgliteListenerLike,
  type PgNotification,
  type PostgresJsListenerLike,
} from './connection/notifications-like.js';
export type { GatherOptions, PostgresStoreOptions } from './connection/options.js';
export {
  fromPglite,
  fromPostgresJs,
  type PgliteLike,
  type PostgresJsLike,
  type PostgresLike,
  type PostgresStatement,
} from './connection/postgres-like.js';
export {
  type DrizzleTransactionLike,
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromTypeOrm,
  type KnexTransactionLike,
  type KyselyTransactionLike,
  type TypeOrmTransactionLike,
} from './connection/transaction-like.js';
export { createPostgresStore, type PostgresStore } from './postgres-store.js';
export { createPostgresArchive, type PostgresArchiveOptions } from './schema/archive.js';
export {
  migratePostgres,
  missingFunctions,
  missingMigrations,
  type PostgresMigrationOptions,
  type PostgresMigrationReport,
  printPostgresMigrations,
} from './schema/migrate.js';
