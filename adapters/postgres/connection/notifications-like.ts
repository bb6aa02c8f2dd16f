/**
 * How a store hears of what other processes write: `LISTEN` of a driver, on a connection of its own.
 * `fromPgNotifications`, `fromPostgresJsNotifications` and `fromPgliteNotifications` make one.
 */
export interface NotificationsLike {
  /**
   * Listens to a channel, and answers once it does with what ends that. `onLost` is called where
   * the connection is lost: the store then listens again.
   */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onLost: () => void,
  ): PromiseLike<() => PromiseLike<void>>;
}

/** A `Client` of node-postgres that is not connected yet, or one that its `Pool` has handed out. */
export interface PgListenerLike {
  connect(): PromiseLike<unknown>;
  query(text: string): PromiseLike<unknown>;
  on(event: 'notification', listener: (message: PgNotification) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  end(): PromiseLike<void>;
  /** A pool takes its own back. */
  release?(isBroken: boolean): void;
}

/** What node-postgres says of a notification. */
export interface PgNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/**
 * Notifications by node-postgres: the function gives a connection each time that one is needed, of
 * which nobody else makes use. Poolers in transaction mode cannot listen: connect past them.
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
        // it listens: nobody else can use it
        else client.release(true);
      };
      // one that is lost and has no listener ends the process
      client.on('error', onLost);
      client.on('end', onLost);
      client.on('notification', (message) => {
        if (message.channel === channel) onNotify(message.payload ?? '');
      });
      try {
        if (client.release === undefined) await client.connect();
        await client.query(`listen "${channel}"`);
      } catch (cause) {
        // what ends a connection that is lost may wait for it
        void end().catch(() => undefined);
        throw cause;
      }
      return end;
    },
  };
}

/** What is asked of postgres.js to listen. */
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
      // what came while it was lost is not known: an empty text says that it may be anything
      const { unlisten } = await sql.listen(channel, onNotify, () => onNotify(''));
      return unlisten;
    },
  };
}

/** What is asked of PGlite to listen. */
export interface PgliteListenerLike {
  listen(
    channel: string,
    onNotify: (payload: string) => void,
  ): PromiseLike<() => PromiseLike<void>>;
}

/**
 * Notifications by PGlite, for several stores over one of it.
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
