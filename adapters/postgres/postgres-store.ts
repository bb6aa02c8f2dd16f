import type { Store } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { noting } from '../sql/watch.js';
import { createCommit } from './commits.js';
import { createIdBlocks } from './id-blocks.js';
import { type PostgresStoreOptions, readSettings } from './options.js';
import type { PostgresLike } from './postgres-like.js';
import { createReads } from './reads.js';
import { createSender, type SendOnce, sendUntil } from './send.js';
import { createWatch } from './watch.js';

/** A store that keeps everything in PostgreSQL but the contents of files. */
export type PostgresStore = Store;

/**
 * Makes a store of a PostgreSQL database, version 13 or later, which `dealwright migrate` has given
 * its tables and functions. Each write and each read is one prepared statement, one round trip.
 * Writes that come at the same time go out together, and so do reads of deals, each with its own answer.
 *
 * The store opens no connection and closes none: the pool is the host's. So is the time that a
 * connection may take (`connectionTimeoutMillis` of node-postgres, which waits for ever without), and
 * the `'error'` event of a pool of node-postgres, without a listener for which a connection that is
 * lost while it is idle ends the process.
 *
 * `watch` tells of the writes of this store, and with `notifications` of those of all others that
 * notify: a reader hears of them within milliseconds, and looks by itself where nothing is heard.
 *
 * What fails is `unavailable`: `outcome` says whether it may have been carried out. Reads, and writes
 * that insert a record, are sent again for up to four seconds where that helps; a write that only
 * changes records is not, once it may have been carried out. Where tables or functions are missing,
 * or the database refuses a value, it is not worth a retry. Throws a `TypeError` where the options
 * are wrong.
 *
 * @example
 * ```ts
 * import { createPostgresStore } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1/deals' });
 * pool.on('error', (error) => console.error(error.message));
 * const store = createPostgresStore(pool);
 * ```
 */
export function createPostgresStore(
  db: PostgresLike,
  options: PostgresStoreOptions = {},
): PostgresStore {
  const settings = readSettings(db, options);
  const { schema, idBlock } = settings;
  const send = createSender(db, settings);
  const ids = {
    production: createIdBlocks(send, schema, 'production', idBlock),
    sandbox: createIdBlocks(send, schema, 'sandbox', idBlock),
  };
  /** A server that was replaced by an older copy of itself may give the rest of the ids to others. */
  const sendNoted: SendOnce = async (...sending) => {
    const sent = await send(...sending);
    if (sent.isErr() && sent.error.isConnectionLost) {
      for (const blocks of Object.values(ids)) blocks.discard();
    }
    return sent;
  };
  const commit = createCommit(sendNoted, settings);
  const { watch, hasGrown } = createWatch(send, settings);
  return {
    commit: noting((tenant, set) => commit({ tenant, set }), hasGrown),
    watch,
    reserve(environment, count) {
      const blocks = ids[environment];
      const taking = blocks.take(count);
      if (typeof taking === 'number') return ok(taking);
      return sendUntil(async (retries) => {
        const taken = await (retries === 0 ? taking : blocks.take(count));
        return typeof taken === 'number' ? ok(taken) : taken;
      }, 'attempt');
    },
    ...createReads(send, settings),
  };
}
