import type { Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createGatherer } from '../sql/gather.js';
import { tenantText } from '../sql/tenant.js';
import type { SendOnce } from './send.js';
import { quoted, type Statement, statement } from './statement.js';

/** Where tenants are in a cluster, as far as it is known. */
export interface Nodes {
  /** The name of the node of a tenant; none where the cluster could not be asked. */
  nodeOf(tenant: Tenant): string | Promise<string | undefined>;
}

/** After so many milliseconds all are asked for again: tenants move as nodes are added. */
const validFor = 10_000;
const mostAtOnce = 500;
const mostWaiting = 100_000;

/** Parameter: tenants as a JSON text. The name of the node of each, in their order. */
export function nodesStatement(schema: string): Statement {
  const place = `get_shard_id_for_distribution_column('${quoted(schema)}.tenants', asked.tenant)`;
  return statement(
    'nodes',
    '',
    `select (select min(p.groupid)::text from pg_dist_placement p where p.shardid = ${place}) as answer
    from json_array_elements_text($1::text::json) with ordinality as asked(tenant, n) order by asked.n`,
  );
}

/**
 * Asks the coordinator where tenants are, which no node takes part in, and keeps it for a while. What
 * is out of date is slower, and never wrong: a node passes on what is not its own.
 */
export function createNodes(send: SendOnce, schema: string): Nodes {
  const asked = nodesStatement(schema);
  let known = new Map<string, string>();
  let since = performance.now();
  const ask = createGatherer<string, string | undefined>({
    maxBatch: mostAtOnce,
    maxQueue: mostWaiting,
    async run(tenants) {
      const sent = await send(asked, [JSON.stringify(tenants)], tenants.length);
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
      if (performance.now() - since > validFor) {
        known = new Map();
        since = performance.now();
      }
      const text = tenantText(tenant);
      return known.get(text) ?? ask(text).then((answer) => answer.unwrapOr(undefined));
    },
  };
}
