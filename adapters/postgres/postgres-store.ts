import type { EventLog, StorePorts } from 'dealwright/ports';
import { createAdditions } from './additions.js';
import { createContractors } from './contractors.js';
import { createDealIndex } from './deal-index.js';
import { createDeals, createDealsV2 } from './deals.js';
import { createEventLog } from './event-log.js';
import { createIdBlocks } from './id-blocks.js';
import { type PostgresStoreOptions, readSettings } from './options.js';
import type { PostgresLike } from './postgres-like.js';
import { createSender } from './send.js';

/**
 * A store that keeps everything in PostgreSQL but the contents of files.
 */
export interface PostgresStore extends StorePorts {
  readonly events: EventLog;
}

/**
 * Makes a store of a PostgreSQL database, version 13 or later, which `dealwright migrate` has given
 * its tables. Each create and each read is one prepared statement, one round trip. Creates that come
 * at the same time go out together, each with its own answer.
 *
 * The store opens no connection and closes none: the pool is the host's. So is the time that a
 * connection may take (`connectionTimeoutMillis` of node-postgres, which waits for ever without), and
 * the `'error'` event of a pool of node-postgres, without a listener for which a connection that is
 * lost while it is idle ends the process.
 *
 * What fails is `unavailable`: `outcome` says whether it may have been carried out. Creates,
 * registrations, work files and reads are sent again for up to four seconds where that helps; a save
 * is not, once it may have been carried out. Where the tables are missing, or the database refuses a
 * value, it is not worth a retry. Throws a `TypeError` where the options are wrong.
 *
 * @example
 * ```ts
 * import { createPostgresStore } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * pool.on('error', (error) => console.error(error.message));
 * const { contractors, deals, dealsV2, dealIndex, events } = createPostgresStore(pool);
 * ```
 */
export function createPostgresStore(
  db: PostgresLike,
  options: PostgresStoreOptions = {},
): PostgresStore {
  const settings = readSettings(db, options);
  const { schema, idBlock } = settings;
  const send = createSender(db, settings);
  const ids = createIdBlocks(send, schema, idBlock);
  const add = createAdditions(send, ids, settings);
  return {
    contractors: createContractors(send, schema),
    deals: createDeals(send, schema, add),
    dealsV2: createDealsV2(send, schema, add),
    dealIndex: createDealIndex(send, schema),
    events: createEventLog(send, schema),
  };
}
