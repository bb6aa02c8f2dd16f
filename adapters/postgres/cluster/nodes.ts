import type { Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createGatherer } from '../../sql/gather.js';
import { tenantText } from '../../sql/tenant.js';
import type { SendOnce } from '../connection/send.js';
import { quoted, type Statement, statement } from '../connection/send.js';

/** The places of tenants in a cluster, as far as they are known. */
export interface Nodes {
  /** The name of the node of a tenant; `undefined` if the cluster could not be asked. */
  nodeOf(tenant: Tenant): string | undefined | Promise<string | undefined>;
  /** The names of the nodes in a call; `undefined` if the cluster could not be asked. */
  places(): Promise<Places | undefined>;
  /** Forgets all places: they are out of date. */
  forget(): void;
}

/** The places of all tenants. */
export interface Places {
  /** For each node a name that a tenant on it could have: there need be no such tenant. */
  readonly names: readonly string[];
  /** How many shards they have together. */
  readonly shards: number;
}

/** After this many milliseconds all are read again: tenants move as nodes are added. */
const validFor = 10_000;
/**
 * A cluster that could not be asked is not asked again for this many milliseconds: a pool may end a
 * connection at each failure, and a server that is no cluster always fails.
 */
const askAgainAfter = 1_000;
const mostAtOnce = 500;
const mostWaiting = 100_000;

/** Parameter: tenants as a JSON text. The name of the node of each, in their order. */
export function nodesStatement(schema: string): Statement {
  // the function is volatile: within a condition it would be called for every shard of the cluster
  return statement(
    'nodes',
    '',
    `with asked as materialized (select n, get_shard_id_for_distribution_column('${quoted(schema)}.tenants', tenant) as shardid
      from json_array_elements_text($1::text::json) with ordinality as given(tenant, n))
    select (select min(p.groupid)::text from pg_dist_placement p where p.shardid = asked.shardid) as answer
    from asked order by asked.n`,
  );
}

/** The names that are tried for each shard: enough for every node to get one. */
const namesPerShard = 20;

/**
 * For each node a JSON text: a name that a tenant on it could have, and the number of all shards.
 */
export function placesStatement(schema: string): Statement {
  const tenants = `'${quoted(schema)}.tenants'`;
  return statement(
    'nodes',
    '_places',
    `with shards as materialized (select s.shardid, p.groupid from pg_dist_shard s
      join pg_dist_placement p on p.shardid = s.shardid where s.logicalrelid = ${tenants}::regclass),
    names as materialized (select n::text as name,
      get_shard_id_for_distribution_column(${tenants}, n::text) as shardid
      from generate_series(1, ${namesPerShard} * (select count(*) from shards)) n)
    select json_build_array(min(names.name), (select count(*) from shards))::text as answer
    from names join shards on shards.shardid = names.shardid
    group by shards.groupid`,
  );
}

/**
 * Asks the coordinator for the places of tenants, without any node, and caches them for a while. An
 * outdated place makes a call slower, and never wrong: a node passes on calls for other nodes.
 */
export function createNodes(send: SendOnce, schema: string): Nodes {
  const asked = nodesStatement(schema);
  const askedPlaces = placesStatement(schema);
  let known = new Map<string, string>();
  let places: Promise<Places | undefined> | undefined;
  let since = performance.now();
  let failedAt = Number.NEGATIVE_INFINITY;
  const forget = () => {
    known = new Map();
    places = undefined;
    since = performance.now();
  };
  const forgetInTime = () => {
    if (performance.now() - since > validFor) forget();
  };
  const askPlaces = async (): Promise<Places | undefined> => {
    const sent = await send(askedPlaces, []);
    if (sent.isErr()) return undefined;
    const rows = sent.value.map((text) => JSON.parse(text ?? '') as readonly [string, number]);
    return { names: rows.map(([name]) => name), shards: rows[0]?.[1] ?? 0 };
  };
  const ask = createGatherer<string, string | undefined>({
    maxBatch: mostAtOnce,
    maxQueue: mostWaiting,
    async run(tenants) {
      const sent = await send(asked, [JSON.stringify(tenants)], tenants.length);
      if (sent.isErr()) failedAt = performance.now();
      const names = sent.isOk() ? sent.value : [];
      return tenants.map((tenant, at) => {
        const name = names[at] ?? undefined;
        if (name !== undefined) known.set(tenant, name);
        return ok(name);
      });
    },
  });
  return {
    nodeOf(tenant) {
      forgetInTime();
      const text = tenantText(tenant);
      const name = known.get(text);
      if (name !== undefined || performance.now() - failedAt < askAgainAfter) return name;
      return ask(text).then((answer) => answer.unwrapOr(undefined));
    },
    places() {
      forgetInTime();
      places ??= askPlaces();
      return places;
    },
    forget,
  };
}
