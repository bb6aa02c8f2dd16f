import type { Store } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { noting } from '../sql/watch.js';
import { createNodeCommit, createNodeReading } from './cluster/node-calls.js';
import { createNodes } from './cluster/nodes.js';
import { type PostgresStoreOptions, readSettings, type Settings } from './connection/options.js';
import type { PostgresLike } from './connection/postgres-like.js';
import {
  createKnownStatements,
  createSender,
  type SendOnce,
  sendUntil,
} from './connection/send.js';
import { createReading, type Reading } from './read/read-sql.js';
import { createReads } from './read/reads.js';
import { createWatch } from './read/watch.js';
import { type Commit, createCommit } from './write/commit.js';
import { createIdBlocks } from './write/id-blocks.js';
import { createIdentity, createPrune } from './write/upkeep.js';
import { createWithin } from './write/within.js';

/** A store that keeps everything in PostgreSQL except the contents of files. */
export interface PostgresStore extends Store {
  /**
   * The same store in a transaction of yours, on its connection: its writes are committed with your
   * own rows, or not at all. You begin, commit and roll back; it sends each statement once. Give it
   * to `marketplace.within`. A store of one connection does one thing at a time.
   *
   * It needs no other connection, so the pool of your transactions may be that of the store. Ids
   * come from the process, or through your connection from a sequence, which no transaction locks
   * and no rollback sets back. A refusal (`deal_exists`) leaves the transaction as it was. A
   * failure is `unavailable`, and `transactionAfter` tells whether you may go on. After a
   * serialization failure, a deadlock or a lost connection, roll back and begin again. A write
   * locks the log of its tenant until you commit, and other writes of that tenant wait;
   * `lockTimeout` limits how long this one waits for others.
   *
   * It works in each isolation level. `read committed` sees what others have committed before each
   * statement. In `repeatable read` and `serializable` a write of the tenant that was committed
   * after your transaction began is a serialization failure (40001).
   *
   * Relays are not notified of its events before you commit: they find them within a second, and
   * with `notify` PostgreSQL notifies them when you commit. Throws a `TypeError` if the connection
   * has no `query()`.
   */
  within(connection: PostgresLike): Omit<Store, 'watch'>;
}

/**
 * Makes a store of a PostgreSQL database, version 13 or later, in which `dealwright migrate` has
 * made tables and functions. Each write and each read is one prepared statement, one round trip.
 * Writes at the same time are sent together, and so are reads of deals, each with its own answer.
 *
 * The store opens no connection and closes none: the pool is the host's. So is the time-out of
 * connecting (`connectionTimeoutMillis` of node-postgres, which else waits for ever), and the
 * `'error'` event of a pool of node-postgres: without a listener, an idle connection that is lost
 * ends the process.
 *
 * `watch` notifies of the writes of this store, and with `notifications` of those of all others
 * that notify, within milliseconds; readers also look by themselves.
 *
 * A failure is `unavailable`: `outcome` tells whether it may have had its effect. Reads, and writes
 * that insert a record, are repeated for up to four seconds if that helps; a write that only
 * changes records is not, once it may have been carried out. If tables or functions are missing, or
 * the database refuses a value, it is not worth a retry. Throws a `TypeError` for wrong options.
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
  /**
   * A server that was replaced by an older copy of itself may give the rest of the block to others.
   */
  const sendNoted: SendOnce = async (...sending) => {
    const sent = await send(...sending);
    if (sent.isErr() && sent.error.isConnectionLost) {
      for (const blocks of Object.values(ids)) blocks.discard();
    }
    return sent;
  };
  const { commit, reading } = createWays(send, sendNoted, settings);
  const { watch, hasGrown } = createWatch(send, settings);
  const reserve: Store['reserve'] = (environment, ...asked) => {
    const blocks = ids[environment];
    const taking = blocks.take(...asked);
    if (typeof taking === 'number') return ok(taking);
    return sendUntil(async (retries) => {
      const taken = await (retries === 0 ? taking : blocks.take(...asked));
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

/** The way the store writes and reads: on one server, or on the nodes of a cluster. */
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
