import type { Store } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { noting } from '../sql/watch.js';
import { createNodeCommit } from './cluster/node-commit.js';
import { createNodeReading } from './cluster/node-reading.js';
import { createNodes } from './cluster/nodes.js';
import { type PostgresStoreOptions, readSettings, type Settings } from './connection/options.js';
import type { PostgresLike } from './connection/postgres-like.js';
import { createSender, type SendOnce, sendUntil } from './connection/send.js';
import { createKnownStatements } from './connection/statement.js';
import { createReading, type Reading } from './read/reading.js';
import { createReads } from './read/reads.js';
import { createWatch } from './read/watch.js';
import { type Commit, createCommit } from './write/commit.js';
import { createIdBlocks } from './write/id-blocks.js';
import { createIdentity } from './write/identity.js';
import { createPrune } from './write/prune.js';
import { createWithin } from './write/within.js';

/** A store that keeps everything in PostgreSQL but the contents of files. */
export interface PostgresStore extends Store {
  /**
   * The same store in a transaction of yours, on the connection that it is on: what it writes is
   * committed with your own rows, or not at all. You begin, commit and roll back; it sends each
   * statement once. Give it to `marketplace.within`. One store of a connection does one thing at a time.
   *
   * It needs no other connection, so that the pool of your transactions may be that of the store.
   * Ids are those that the process has, or come through your connection: a sequence gives them, which
   * no transaction locks and no rollback sets back. What is refused (`deal_exists`) leaves the
   * transaction as it was. What fails is `unavailable`, and `transactionAfter` says whether you may go
   * on. After a serialization failure, a deadlock or a lost connection, roll back and begin again. A
   * write locks the log of its tenant until you commit, and other writes of that tenant wait; how long
   * this one waits for others is `lockTimeout`.
   *
   * It works in each isolation level. `read committed` sees what others have committed before each
   * statement. In `repeatable read` and `serializable` a write of the tenant that was committed after
   * your transaction began is a serialization failure (40001).
   *
   * Nobody is told of its events before you commit: a relay finds them within a second, and with
   * `notify` PostgreSQL tells it when you commit. Throws a `TypeError` for what has no `query()`.
   */
  within(connection: PostgresLike): Omit<Store, 'watch'>;
}

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
  const { commit, reading } = createWays(send, sendNoted, settings);
  const { watch, hasGrown } = createWatch(send, settings);
  const reserve: Store['reserve'] = (environment, count) => {
    const blocks = ids[environment];
    const taking = blocks.take(count);
    if (typeof taking === 'number') return ok(taking);
    return sendUntil(async (retries) => {
      const taken = await (retries === 0 ? taking : blocks.take(count));
      return typeof taken === 'number' ? ok(taken) : taken;
    }, 'attempt');
  };
  const known = createKnownStatements();
  return {
    commit: noting((tenant, set) => commit({ tenant, set }), hasGrown),
    watch,
    reserve,
    ...createReads(send, reading, settings, known),
    identity: createIdentity(send, schema),
    prune: createPrune(send, reading, schema, known),
    within: createWithin(settings, ids, known),
  };
}

/** How the store writes and reads: on one server, or on the nodes of a cluster. */
function createWays(
  send: SendOnce,
  sendWrite: SendOnce,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
): { readonly commit: Commit; readonly reading: Reading } {
  if (gather?.by !== 'node') {
    return { commit: createCommit(sendWrite, schema, gather), reading: createReading(send) };
  }
  const nodes = createNodes(send, schema);
  return {
    commit: createNodeCommit(sendWrite, schema, nodes, gather),
    reading: createNodeReading(send, schema, nodes, gather),
  };
}
