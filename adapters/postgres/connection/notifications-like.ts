/**
 * The way a store learns of writes of other processes: `LISTEN` of a driver, on its own connection.
 * `fromPgNotifications`, `fromPostgresJsNotifications` and `fromPgliteNotifications` make one.
 */
export interface NotificationsLike {
  /**
   * Listens to a channel, and resolves once it does with a function that ends that. `onLost` is
   * called if the connection is lost: the store then listens again.
   */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onLost: () => void,
  ): PromiseLike<() => PromiseLike<void>>;
}

/** A `Client` of node-postgres that is not connected yet, or one from its `Pool`. */
export interface PgListenerLike {
  connect(): PromiseLike<unknown>;
  query(text: string): PromiseLike<unknown>;
  on(event: 'notification', listener: (message: PgNotification) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  end(): PromiseLike<void>;
  /** Returns a client to its pool. */
  release?(isBroken: boolean): void;
}

/** A notification of node-postgres. */
export interface PgNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/**
 * Notifications by node-postgres: the function returns a connection each time that one is needed,
 * for this use alone. Poolers in transaction mode cannot listen: connect past them.
 *
 * @example
 * ```ts
 * import { createPostgresStore, fromPgNotifications } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const connectionString = 'postgres://127.0.0.1/deals';
 * const pool = new pg.Pool({ connectionString });
 * pool.on('error', (error) => console.error(error.message));
 * const store = createPostgresStore(pool, {
 *   notifications: fromPgNotifications(() => new pg.Client({ connectionString, keepAlive: true })),
 * });
 * ```
 */
export function fromPgNotifications(
  connect: () => PgListenerLike | PromiseLike<PgListenerLike>,
): NotificationsLike {
  return {
    async listen(channel, onNotify, onLost) {
      const client = await connect();
      const end = async () => {
        if (client.release === undefined) await client.end();
        // it listens: it cannot be used otherwise
        else client.release(true);
      };
      // without a listener a lost connection ends the process
      client.on('error', onLost);
      client.on('end', onLost);
      client.on('notification', (message) => {
        if (message.channel === channel) onNotify(message.payload ?? '');
      });
      try {
        if (client.release === undefined) await client.connect();
        await client.query(`listen "${channel}"`);
      } catch (cause) {
        // ending a lost connection may wait for it
        void end().catch(() => undefined);
        throw cause;
      }
      return end;
    },
  };
}

/** The part of postgres.js that listens. */
export interface PostgresJsListenerLike {
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onListen: () => void,
  ): PromiseLike<{ unlisten(): PromiseLike<void> }>;
}

/**
 * Notifications by postgres.js, which has a connection for them and opens it again by itself.
 *
 * @example
 * ```ts
 * import { createPostgresStore, fromPostgresJs, fromPostgresJsNotifications } from 'dealwright/postgres';
 * import postgres from 'postgres';
 *
 * const sql = postgres('postgres://127.0.0.1/deals');
 * const notifications = fromPostgresJsNotifications(sql);
 * const store = createPostgresStore(fromPostgresJs(sql), { notifications });
 * ```
 */
export function fromPostgresJsNotifications(sql: PostgresJsListenerLike): NotificationsLike {
  return {
    async listen(channel, onNotify) {
      // notifications during the loss are unknown: an empty text stands for any
      const { unlisten } = await sql.listen(channel, onNotify, () => onNotify(''));
      return unlisten;
    },
  };
}

/** The part of PGlite that listens. */
export interface PgliteListenerLike {
  listen(
    channel: string,
    onNotify: (payload: string) => void,
  ): PromiseLike<() => PromiseLike<void>>;
}

/**
 * Notifications by PGlite, for several stores over one instance.
 *
 * @example
 * ```ts
 * import { PGlite } from '@electric-sql/pglite';
 * import { createPostgresStore, fromPglite, fromPgliteNotifications } from 'dealwright/postgres';
 *
 * const db = new PGlite();
 * const notifications = fromPgliteNotifications(db);
 * const store = createPostgresStore(fromPglite(db), { notifications });
 * ```
 */
export function fromPgliteNotifications(db: PgliteListenerLike): NotificationsLike {
  return { listen: (channel, onNotify) => db.listen(channel, onNotify) };
}
