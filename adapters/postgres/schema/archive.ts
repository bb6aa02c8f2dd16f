import type { ArchiveRecord, Kind, StoreArchive } from 'dealwright/ports';
import { kinds, tables } from '../../sql/tables.js';
import { tenantOf } from '../../sql/tenant.js';
import { type SchemaChoice, schemaName } from '../connection/options.js';
import type { PostgresLike } from '../connection/postgres-like.js';
import { ask, checkIsOne, giveUp } from '../connection/send.js';
import { jsonObject } from '../functions/columns.js';
import { identitySql } from '../write/upkeep.js';
import { restoreAll } from './restore.js';

/** The options of an archive. */
export type PostgresArchiveOptions = SchemaChoice;

/** How many rows a dump reads at a time: each may have a long text. */
const batch = 200;

/**
 * The archive of a PostgreSQL store: everything except the contents of files. It takes one
 * connection for itself, and not a pool: its work is one transaction of many statements. It does
 * one thing at a time: other calls reject meanwhile.
 *
 * A dump reads the state of one moment, and neither waits for writers nor delays them. A restore
 * needs empty tables, of which no server has reserved ids yet: it would go on with numbers that may
 * be the archive's. Other writes wait until it has ended.
 *
 * A failure rejects with the driver's error, without the values in it; then nothing was restored.
 * If the connection is lost during the commit, everything may have been restored: the message says
 * "may have been restored", the tables show whether it was, and the driver's error is its `cause`.
 * Throws a `TypeError` for a wrong option, if the value is not a connection, and for a pool of
 * node-postgres.
 *
 * @example
 * ```ts no-run
 * import { createPostgresArchive } from 'dealwright/postgres';
 * import pg from 'pg';
 *
 * const client = new pg.Client({ connectionString: 'postgres://127.0.0.1/deals' });
 * // without a listener, a lost connection would end the process
 * client.on('error', (error) => console.error(error.message));
 * await client.connect();
 * for await (const record of createPostgresArchive(client).dump()) console.log(record.kind);
 * await client.end();
 * ```
 */
export function createPostgresArchive(
  client: PostgresLike,
  options: PostgresArchiveOptions = {},
): StoreArchive {
  const schema = schemaName('createPostgresArchive', options, client ?? null, undefined, {
    // that of node-postgres gives a single caller the same connection again and again
    'give one connection of the pool, not the pool': !('totalCount' in Object(client)),
  });
  let isBusy = false;
  const begin = () => {
    if (isBusy) throw new Error('the archive is at work already, and has one connection');
    isBusy = true;
  };
  async function* dump() {
    begin();
    try {
      yield* dumpAll(client, schema);
    } finally {
      isBusy = false;
    }
  }
  return {
    dump: () =>
      Object.assign(dump(), {
        async identity() {
          const [found] = await ask(client, identitySql(schema));
          return found ?? undefined;
        },
      }),
    async restore(records) {
      begin();
      try {
        return await restoreAll(client, schema, records);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function* dumpAll(client: PostgresLike, schema: string): AsyncGenerator<ArchiveRecord> {
  await checkIsOne(client);
  await ask(client, 'begin transaction isolation level repeatable read read only');
  try {
    await beginEverywhere(client, schema);
    for (const kind of kinds) {
      await ask(client, `declare dealwright_dump no scroll cursor for ${dumpSql(schema, kind)}`);
      for (;;) {
        const texts = await ask(client, `fetch ${batch} from dealwright_dump`);
        for (const text of texts) {
          const [tenant, row] = JSON.parse(text ?? '');
          yield { kind, tenant: tenantOf(tenant), row };
        }
        if (texts.length < batch) break;
      }
      await ask(client, 'close dealwright_dump');
    }
  } finally {
    // complete or not, the dump has written nothing
    await giveUp(client);
  }
}

/**
 * On a cluster each node has one connection with one moment for the whole dump, and all of them
 * start with the first statement that queries every node. A server without Citus ignores the
 * setting.
 */
async function beginEverywhere(client: PostgresLike, schema: string): Promise<void> {
  await ask(client, 'set local citus.max_adaptive_executor_pool_size = 1');
  await ask(client, `select 1 as answer from "${schema}".tenants where last_position < 0`);
}

/**
 * All records of a kind, in the order of an index: the first rows come at once, and nothing is sorted
 * on the server's disk.
 */
function dumpSql(schema: string, kind: Kind): string {
  const { name, owner, order } = tables[kind];
  const by = [owner, ...order].map((column) => `t.${column}`).join(', ');
  return `select json_build_array(t.tenant, ${jsonObject('t', tables[kind].members)})::text as answer
    from "${schema}".${name} t order by ${by}`;
}
