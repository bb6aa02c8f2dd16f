import type { PartnerApi } from 'dealwright';
import type { Store, Tenant } from 'dealwright/ports';
import type { PostgresStoreOptions } from 'dealwright/postgres';
import { contractor, deal } from '../../../bench/validation/cases.mjs';
import { cpuOf, largestOf, nodesOf, type ServerNode, serverOf } from './nodes.js';
import { createPlace, type Place, partnersOf, registerContractor, tenantsOn } from './place.js';

/** The cost of one kind of call: the median of the rounds, in microseconds of CPU for each. */
export interface Cost {
  readonly what: string;
  /** Microseconds of a plain server; of the coordinator; of all workers together. */
  readonly plain: number;
  readonly coordinator: number;
  readonly workers: number;
  /** Calls a second. */
  readonly plainRate: number;
  readonly rate: number;
}

interface Subject {
  readonly store: Store;
  readonly partners: readonly PartnerApi[];
  readonly tenants: readonly Tenant[];
}

interface Work {
  readonly inFlight: number;
  readonly count: number;
  readonly gather?: PostgresStoreOptions['gather'];
  /** The options of the stores of both sides. */
  readonly options?: PostgresStoreOptions;
  call(subject: Subject, number: number): PromiseLike<unknown>;
}

const rounds = 5;
const tenantCount = 8;

const partnerOf = ({ partners }: Subject, number: number) =>
  partners[number % partners.length] as PartnerApi;
const tenantOf = ({ tenants }: Subject, number: number) =>
  tenants[number % tenants.length] as Tenant;

async function create(subject: Subject, number: number): Promise<void> {
  const partner = partnerOf(subject, number);
  (await partner.createDeal({ ...deal, partner_id: `deal-${number}` }))._unsafeUnwrap();
}

/** The measured kinds of work, by name. */
export const works: Readonly<Record<string, Work>> = {
  'a create, 64 in flight, gathered by node': {
    ...{ inFlight: 64, count: 2_000, gather: { by: 'node' }, call: create },
  },
  'a create, 256 in flight, gathered by node': {
    ...{ inFlight: 256, count: 3_000, gather: { by: 'node' }, call: create },
  },
  'a create, 1 in flight': { inFlight: 1, count: 200, gather: { by: 'node' }, call: create },
  'registering a contractor, 1 in flight': {
    ...{ inFlight: 1, count: 60, gather: { by: 'node' } },
    async call(subject, number) {
      const email = `user-${number}@example.com`;
      const partner = partnerOf(subject, number);
      (await partner.registerContractor({ ...contractor, email }))._unsafeUnwrap();
    },
  },
  'a deal by its `partner_id`, 8 in flight': {
    ...{ inFlight: 8, count: 600, gather: { by: 'node' } },
    async call(subject, number) {
      (await partnerOf(subject, number).retrieveDealDetails('deal-8'))._unsafeUnwrap();
    },
  },
  'a page of 20 deals, 8 in flight': {
    ...{ inFlight: 8, count: 300, gather: { by: 'node' } },
    async call(subject, number) {
      const asked = partnerOf(subject, number).listDeals({ page_size: 20 });
      (await asked)._unsafeUnwrap();
    },
  },
  'the next events of a tenant, none new (a relay)': {
    ...{ inFlight: 8, count: 600, gather: { by: 'node' } },
    async call({ store, tenants }, number) {
      const tenant = tenantOf({ tenants, partners: [], store }, number);
      const page = (await store.events.after(tenant, undefined, 1))._unsafeUnwrap();
      if (page === 'invalid_cursor') throw new Error('no events');
    },
  },
  'a page of 100 tenants (a relay)': {
    ...{ inFlight: 1, count: 100, gather: { by: 'node' } },
    async call({ store }) {
      (await store.tenants(undefined, 100))._unsafeUnwrap();
    },
  },
  'a block of integers': {
    ...{ inFlight: 1, count: 300, gather: { by: 'node' }, options: { idBlock: 1 } },
    async call({ store }) {
      (await store.reserve('sandbox', 1))._unsafeUnwrap();
    },
  },
};

/** Measures each kind of work on a plain server and on the cluster, in turns. */
export async function measureCosts(
  plainUrl: string,
  clusterUrl: string,
  names: readonly string[] = Object.keys(works),
): Promise<readonly Cost[]> {
  const plain = await createPlace(plainUrl, false);
  const cluster = await createPlace(clusterUrl, true);
  try {
    const nodes = await nodesOf(cluster.pool, clusterUrl);
    const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
    const coordinators = nodes.filter(({ isCoordinator }) => isCoordinator);
    const own = await serverOf(plainUrl);
    const pids = [[own], coordinators.map(({ pid }) => pid), workers.map(({ pid }) => pid)];
    const tenants = await evenly(cluster, workers);
    for (const place of [plain, cluster]) await registerContractor(place.store());
    const costs: Cost[] = [];
    for (const name of names) {
      const work = works[name];
      if (work === undefined) throw new TypeError(`there is no work ${name}`);
      const sides = [
        { subject: subjectOver(plain, { ...work.options }, tenants), isPlain: true },
        { subject: subjectOver(cluster, optionsOf(work), tenants), isPlain: false },
      ];
      const seen = { plain: [], coordinator: [], workers: [], plainRate: [], rate: [] } as Record<
        'plain' | 'coordinator' | 'workers' | 'plainRate' | 'rate',
        number[]
      >;
      for (let round = 0; round <= rounds; round += 1) {
        for (const { subject, isPlain } of round % 2 === 0 ? sides : [...sides].reverse()) {
          const spent = pids.map((each) => cpuOf(each));
          const begin = performance.now();
          await keepCalling(work, subject);
          const seconds = (performance.now() - begin) / 1000;
          const [ofPlain = 0, ofCoordinator = 0, ofWorkers = 0] = spent.map(
            (stop) => stop() / work.count,
          );
          if (round === 0) continue;
          if (isPlain) {
            seen.plain.push(ofPlain);
            seen.plainRate.push(work.count / seconds);
          } else {
            seen.coordinator.push(ofCoordinator);
            seen.workers.push(ofWorkers);
            seen.rate.push(work.count / seconds);
          }
        }
      }
      const cost = {
        what: name,
        plain: middle(seen.plain),
        coordinator: middle(seen.coordinator),
        workers: middle(seen.workers),
        plainRate: middle(seen.plainRate),
        rate: middle(seen.rate),
      };
      process.stdout.write(`${JSON.stringify(cost)}\n`);
      costs.push(cost);
    }
    return costs;
  } finally {
    await plain.close();
    await cluster.close();
  }
}

const optionsOf = ({ options, gather }: Work): PostgresStoreOptions =>
  gather === undefined ? { ...options } : { ...options, gather };

/** The same number of tenants on each worker. */
async function evenly(place: Place, workers: readonly ServerNode[]): Promise<readonly Tenant[]> {
  const groups = workers.map(({ group }) => group);
  const each = Math.ceil(tenantCount / groups.length);
  return [...(await tenantsOn(place, groups, each)).values()].flat();
}

function subjectOver(place: Place, options: PostgresStoreOptions, tenants: readonly Tenant[]) {
  const store = place.store(options);
  return { store, tenants, partners: tenants.map(partnersOf(store)) };
}

let last = 1_000;

async function keepCalling({ inFlight, count, call }: Work, subject: Subject): Promise<void> {
  let left = count;
  const keep = async () => {
    while (left > 0) {
      left -= 1;
      last += 1;
      await call(subject, last);
    }
  };
  // the reads find their deals
  await Promise.all(
    subject.partners.map((partner) => partner.createDeal({ ...deal, partner_id: 'deal-8' })),
  );
  await Promise.all(Array.from({ length: inFlight }, keep));
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Private bytes of the largest connection of a worker, by how many creates it has served. */
export async function measureMemory(
  clusterUrl: string,
  creates: number,
): Promise<ReadonlyMap<number, number>> {
  const place = await createPlace(clusterUrl, true);
  try {
    const [worker] = (await nodesOf(place.pool, clusterUrl)).filter((node) => !node.isCoordinator);
    if (worker === undefined) throw new Error('the cluster has no worker');
    await registerContractor(place.store());
    const tenants = [...(await tenantsOn(place, [worker.group], tenantCount)).values()].flat();
    // one connection to the coordinator, which keeps one to the worker
    const store = place.store({ gather: { by: 'node' } }, 1);
    const partners = tenants.map(partnersOf(store));
    const subject = { store, tenants, partners };
    const found = new Map<number, number>();
    const steps = 5;
    for (let step = 1; step <= steps; step += 1) {
      const count = Math.ceil(creates / steps);
      await keepCalling({ inFlight: 64, count, call: create }, subject);
      found.set(step * count, largestOf(worker.pid));
      process.stdout.write(`${step * count} creates: ${largestOf(worker.pid)} bytes\n`);
    }
    return found;
  } finally {
    await place.close();
  }
}
