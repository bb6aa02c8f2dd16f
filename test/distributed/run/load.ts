import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, Tenant } from 'dealwright/ports';
import { contractor, deal } from '../../../bench/validation/cases.mjs';
import { partnersOf } from './place.js';

/** The acknowledged creates of one group of tenants, and the others. */
export interface Tally {
  acknowledged: number;
  unavailable: number;
}

/** Creates that go on until they are stopped, even while nodes are down. */
export interface Load {
  /** The tally of a node's tenants. */
  of(group: string): Tally;
  /** Acknowledged deals, by tenant. */
  readonly deals: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of contractors whose registration was acknowledged. */
  readonly contractors: readonly string[];
  /** Answers that cannot be explained by a fault. */
  readonly problems: readonly string[];
  stop(): Promise<void>;
}

const perTenant = 3;

/** Starts creates of all tenants, and sometimes the registration of a contractor. */
export function startLoad(
  store: Store,
  tenants: ReadonlyMap<string, readonly Tenant[]>,
  isRegistering = true,
): Load {
  const tallies = new Map([...tenants.keys()].map((group) => [group, none()]));
  const deals = new Map<string, Set<string>>();
  const contractors: string[] = [];
  const problems: string[] = [];
  const partnerOf = partnersOf(store);
  let isOver = false;
  let last = 0;
  const of = (group: string) => tallies.get(group) ?? none();
  const creating = async (group: string, tenant: Tenant) => {
    const partner = partnerOf(tenant);
    const own = deals.get(tenant.partner) ?? new Set<string>();
    deals.set(tenant.partner, own);
    while (!isOver) {
      last += 1;
      const partner_id = `deal-${last}`;
      const created = await partner.createDeal({ ...deal, partner_id });
      if (created.isOk()) {
        own.add(partner_id);
        of(group).acknowledged += 1;
      } else if (created.error.code === 'unavailable') {
        of(group).unavailable += 1;
        await sleep(20);
      } else problems.push(`a create: ${JSON.stringify(created.error)}`);
    }
  };
  const registering = async (tenant: Tenant) => {
    const partner = partnerOf(tenant);
    while (!isOver) {
      last += 1;
      const email = `user-${last}@example.com`;
      const registered = await partner.registerContractor({ ...contractor, email });
      if (registered.isOk()) contractors.push(email);
      else if (registered.error.code !== 'unavailable') {
        problems.push(`a registration: ${JSON.stringify(registered.error)}`);
      }
      await sleep(50);
    }
  };
  const all = [...tenants].flatMap(([group, own]) =>
    own.flatMap((tenant) => Array.from({ length: perTenant }, () => creating(group, tenant))),
  );
  const [first] = [...tenants.values()].flat();
  if (isRegistering && first !== undefined) all.push(registering(first));
  return {
    ...{ of, deals, contractors, problems },
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

function none(): Tally {
  return { acknowledged: 0, unavailable: 0 };
}
