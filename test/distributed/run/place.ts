import { createMarketplace, type PartnerApi } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore } from 'dealwright/memory';
import type { Store, Tenant } from 'dealwright/ports';
import {
  createPostgresStore,
  distributePostgres,
  migratePostgres,
  type PostgresStoreOptions,
} from 'dealwright/postgres';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { Pool } from 'pg';
import { nodesStatement } from '../../../adapters/postgres/cluster/nodes.js';
import { contractor } from '../../../bench/validation/cases.mjs';

/** A schema of its own, on a cluster or on a plain server. */
export interface Place {
  readonly schema: string;
  readonly url: string;
  readonly pool: Pool;
  /** Its store, over a pool of this size. */
  store(options?: PostgresStoreOptions, connections?: number): Store;
  close(): Promise<void>;
}

let places = 0;

/** Makes the tables and functions, and distributes them on request. */
export async function createPlace(url: string, isCluster: boolean): Promise<Place> {
  places += 1;
  const schema = `dealwright_run_${process.pid}_${places}`;
  const pools: Pool[] = [];
  const connect = (max: number) => {
    const pool = new Pool({ connectionString: url, max });
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const pool = connect(4);
  (await migratePostgres(pool, { schema }))._unsafeUnwrap();
  if (isCluster) {
    const distributed = await distributePostgres(pool, { schema });
    if (distributed.isErr()) throw new Error('not distributed', { cause: distributed.error });
  }
  return {
    ...{ schema, url, pool },
    store: (options = {}, connections = 10) =>
      createPostgresStore(connect(connections), { ...options, schema }),
    async close() {
      await pool.query(`drop schema if exists ${schema} cascade`);
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}

/** The API of partners over a store. */
export function partnersOf(store: Store): (tenant: Tenant) => PartnerApi {
  const { partner } = createMarketplace({
    ...createSystemPorts(),
    store,
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
    files: createMemoryFileStore(),
  });
  return partner;
}

/** Registers the contractor of the deals of a run. */
export async function registerContractor(store: Store): Promise<void> {
  const partner = partnersOf(store)(tenantNamed('registrar'));
  (await partner.registerContractor(contractor))._unsafeUnwrap();
}

/** A tenant of a run. */
export function tenantNamed(partner: string): Tenant {
  return { environment: 'sandbox', partner };
}

/** So many tenants on each of these nodes. */
export async function tenantsOn(
  { pool, schema }: Place,
  groups: readonly string[],
  count: number,
): Promise<ReadonlyMap<string, readonly Tenant[]>> {
  const found = new Map(groups.map((group) => [group, [] as Tenant[]]));
  const names = Array.from({ length: 400 }, (_, at) => `partner-${at}`);
  const asked = JSON.stringify(names.map((name) => `sandbox:${name}`));
  const { rows } = await pool.query<{ answer: string }>(nodesStatement(schema).text, [asked]);
  for (const [at, name] of names.entries()) {
    const own = found.get(rows[at]?.answer ?? '');
    if (own !== undefined && own.length < count) own.push(tenantNamed(name));
  }
  return found;
}
