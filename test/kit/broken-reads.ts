import type { DealFilter, ListedDeal, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type Fault, listing, paging, reading, relisting, settle } from './store-parts.js';

const order = 'lists the newest first, and of one time the later attempt first';
const ranges = 'gives every range: what is next to a position, and not itself';
const filters = 'lists what passes the filter, each part of it and all together';
const deals = 'gives the parts of a deal that are asked for, in the order of their keys';
const tenants = 'keeps tenants apart, but for what an environment shares';
const copies = 'does not hand out what it keeps';
const recorded = 'tells which contents a file names';
const logged = 'gives events in the order of their writes, in pages of any size';
const who = 'tells the tenants that have written something, page by page';

/** Does not heed this part of a filter. */
const forgetting = (part: keyof DealFilter): Fault =>
  listing((list, tenant, { [part]: _, ...filter }, range) => list(tenant, filter, range));

/** Takes a time of a filter for one that is a moment later. */
const later = (part: 'created_from' | 'created_to'): Fault =>
  listing((list, tenant, filter, range) => {
    const time = filter[part];
    return list(tenant, time === undefined ? filter : { ...filter, [part]: `${time}~` }, range);
  });

const everything = { direction: 'older', from: undefined, limit: 1000 } as const;
const nameOf = ({ environment, partner }: Tenant) => `${environment} ${partner}`;

/** Hands out again what it has handed out before. */
function keeping<A extends readonly unknown[], T>(read: (...args: A) => T): (...args: A) => T {
  const kept = new Map<string, T>();
  return (...args) => {
    const name = JSON.stringify(args);
    const answer = kept.get(name) ?? read(...args);
    kept.set(name, answer);
    return answer;
  };
}

/** Stores with a mistake in what they read, and a case that finds it. */
export const brokenReads: Readonly<Record<string, readonly [fault: Fault, foundBy: string]>> = {
  'lists the oldest first': [relisting((listed) => [...listed].reverse()), order],
  'breaks ties by the partner_id': [
    relisting((listed) => {
      const place = ({ created_at, partner_id }: ListedDeal) => created_at + partner_id;
      return [...listed].sort((a, b) => (place(a) < place(b) ? 1 : -1));
    }),
    order,
  ],
  'includes the position itself': [
    listing(async (list, tenant, filter, range) => {
      const { from, direction, limit } = range;
      const listed = await settle(list(tenant, filter, range));
      const all = await settle(list(tenant, filter, everything));
      const itself = all.filter(({ attempt }) => attempt === from?.attempt);
      return ok(
        direction === 'older'
          ? [...itself, ...listed].slice(0, limit)
          : [...listed, ...itself].slice(-limit),
      );
    }),
    ranges,
  ],
  'compares positions by their time alone': [
    listing((list, tenant, filter, { from, ...range }) => {
      const attempt = range.direction === 'older' ? '' : '~';
      return list(tenant, filter, { ...range, from: from && { ...from, attempt } });
    }),
    ranges,
  ],
  'gives one more than it was asked for': [
    listing((list, tenant, filter, range) =>
      list(tenant, filter, { ...range, limit: range.limit + 1 }),
    ),
    ranges,
  ],
  'gives the far end of what is newer': [
    listing(async (list, tenant, filter, range) => {
      if (range.direction === 'older') return list(tenant, filter, range);
      const newer = await settle(list(tenant, filter, { ...range, limit: 1000 }));
      return ok(newer.slice(0, range.limit));
    }),
    ranges,
  ],
  'gives what is newer in the order in which it goes through it': [
    relisting((listed, _, __, { direction }) =>
      direction === 'older' ? listed : [...listed].reverse(),
    ),
    ranges,
  ],
  'filters a page instead of the list': [
    listing(async (list, tenant, filter, range) => {
      const page = await settle(list(tenant, {}, range));
      const all = await settle(list(tenant, filter, everything));
      const names = new Set(all.map(({ partner_id }) => partner_id));
      return ok(page.filter(({ partner_id }) => names.has(partner_id)));
    }),
    filters,
  ],
  'forgets the filter of partner_id': [forgetting('partner_id'), filters],
  'forgets the filter of status': [forgetting('status'), filters],
  'forgets the filter of the freelancer': [forgetting('freelancer_status'), filters],
  'forgets the filter of the address': [forgetting('email_key'), filters],
  'forgets from when': [forgetting('created_from'), filters],
  'forgets until when': [forgetting('created_to'), filters],
  'takes created_to for inclusive': [later('created_to'), filters],
  'takes created_from for exclusive': [later('created_from'), filters],
  'compares addresses as they were written': [
    relisting((listed, _, { email_key }) =>
      listed.filter((each) => email_key === undefined || each.email_freelancer === email_key),
    ),
    filters,
  ],
  'lists the deals of another partner': [
    listing(async (list, tenant, filter, range) => {
      const own = await settle(list(tenant, filter, range));
      if (tenant.environment !== 'sandbox' || tenant.partner === 'acme') return ok(own);
      return ok([...own, ...(await settle(list({ ...tenant, partner: 'acme' }, filter, range)))]);
    }),
    order,
  ],
  'lists the deals of another environment': [
    listing(async (list, tenant, ...rest) => {
      const own = await settle(list(tenant, ...rest));
      return ok([...own, ...(await settle(list({ ...tenant, environment: 'sandbox' }, ...rest)))]);
    }),
    tenants,
  ],
  'lists deals as they were when they were created': [
    relisting((listed) =>
      listed.map((each) => ({ ...each, status: 'created', freelancer_status: 'new' })),
    ),
    'lists a deal as it is now, where it has always been',
  ],
  'lists more of a deal than an entry has': [
    relisting((listed) => listed.map((each) => ({ ...each, payment_token: 'secret' }))),
    order,
  ],
  'finds no deal of version 1.0': [
    ({ deals: reads }) => ({
      deals: {
        ...reads,
        async byPartnerId(...args) {
          const found = await settle(reads.byPartnerId(...args));
          return ok(found?.deal.api_version === '1.0' ? undefined : found);
        },
      },
    }),
    deals,
  ],
  'finds a deal by its id for anybody': [
    ({ commit, deals: reads }) => {
      const owners = new Map<number, Tenant>();
      return {
        commit: (tenant, write) => {
          for (const { kind, row } of write.insert) if (kind === 'deal') owners.set(row.id, tenant);
          return commit(tenant, write);
        },
        deals: {
          ...reads,
          byId: (tenant, id, parts) => reads.byId(owners.get(id) ?? tenant, id, parts),
        },
      };
    },
    tenants,
  ],
  'mixes tenants in the parts of deals': [
    (store) => ({
      ...reading((deal) => deal)(store),
      deals: {
        ...store.deals,
        async byPartnerId(tenant, partner_id, parts) {
          const own = await settle(store.deals.byPartnerId(tenant, partner_id, parts));
          const other = await settle(
            store.deals.byPartnerId({ ...tenant, partner: 'acme' }, partner_id, parts),
          );
          if (own === undefined || other === undefined || tenant.partner === 'acme') return ok(own);
          const merged = parts.map((part) => {
            const both = [own, other].flatMap(({ [part]: rows }: Record<string, unknown>) => rows);
            return [part, both];
          });
          return ok({ ...own, ...Object.fromEntries(merged) });
        },
      },
    }),
    tenants,
  ],
  'gives the parts in the order in which they came': [
    reading((deal) => ({ ...deal, ...(deal.stage && { stage: [...deal.stage].reverse() }) })),
    deals,
  ],
  'gives parts that were not asked for': [
    reading((deal) => ({ ...deal, stage: deal.stage ?? [] })),
    deals,
  ],
  'loses files when a deal is changed': [
    reading((deal) => (deal.deal.status === 'accepted' ? { ...deal, work_file: [] } : deal)),
    'changes what a write names, and nothing else',
  ],
  'rounds money to a number': [
    reading((deal) => ({
      ...deal,
      deal: { ...deal.deal, amount: Number(deal.deal.amount).toFixed(2) },
    })),
    'keeps records of every kind as they were given',
  ],
  'hands out the deals that it keeps': [
    ({ deals: reads }) => ({ deals: { ...reads, byPartnerId: keeping(reads.byPartnerId) } }),
    copies,
  ],
  'hands out the entries that it keeps': [
    ({ deals: reads }) => ({ deals: { ...reads, list: keeping(reads.list) } }),
    copies,
  ],
  'hands out the events that it keeps': [
    ({ events }) => ({ events: { after: keeping(events.after) } }),
    copies,
  ],
  'hands out the first answer that it keeps': [
    ({ commit }) => {
      const kept = new Map<string, ReturnType<typeof commit>>();
      return {
        commit: (tenant, write) => {
          const known = kept.get(write.attempt);
          const answer = known ?? commit(tenant, write);
          kept.set(write.attempt, answer);
          return answer;
        },
      };
    },
    copies,
  ],
  'hands out the tenants that it keeps': [
    ({ tenants: all }) => {
      const kept = new Map<string, Tenant>();
      const known = (tenant: Tenant) => {
        kept.set(nameOf(tenant), kept.get(nameOf(tenant)) ?? tenant);
        return kept.get(nameOf(tenant)) as Tenant;
      };
      return { tenants: async (...args) => ok((await settle(all(...args))).map(known)) };
    },
    copies,
  ],
  'says of every content that it is recorded': [
    () => ({ workFiles: { recorded: (_, ids) => ok(ids) } }),
    recorded,
  ],
  'names all contents that are recorded, whichever it is asked of': [
    ({ commit }) => {
      const all = new Set<string>();
      return {
        commit: (tenant, write) => {
          for (const { kind, row } of write.insert) if (kind === 'work_file') all.add(row.id);
          return commit(tenant, write);
        },
        workFiles: { recorded: () => ok([...all]) },
      };
    },
    recorded,
  ],
  'gives events newest first': [
    paging((page) => ({ ...page, events: [...page.events].reverse() })),
    logged,
  ],
  'moves the cursor by the limit': [
    paging((page, cursor = '0', limit) => ({ ...page, cursor: String(Number(cursor) + limit) })),
    'gives a cursor at the end, from which later events are seen',
  ],
  'does not move its cursor on': [paging((page, cursor = '0') => ({ ...page, cursor })), logged],
  'begins anew with a cursor that it does not know': [
    ({ events }) => ({
      events: {
        async after(tenant, cursor, limit) {
          const page = await settle(events.after(tenant, cursor, limit));
          return page === 'invalid_cursor' ? events.after(tenant, undefined, limit) : ok(page);
        },
      },
    }),
    'refuses a cursor that it did not give',
  ],
  'gives each event once': [
    (store) => {
      const given = new Set<string>();
      return paging((page) => {
        const fresh = page.events.filter(({ id }) => !given.has(id));
        for (const { id } of fresh) given.add(id);
        return { ...page, events: fresh };
      })(store);
    },
    'gives what comes after a cursor again and again',
  ],
  'tells who only asked': [
    (store) => {
      const asked = new Map<string, Tenant>();
      return {
        commit: (tenant, write) => {
          asked.set(nameOf(tenant), tenant);
          return store.commit(tenant, write);
        },
        tenants: (after, limit) => {
          const all = [...asked.values()];
          const start = all.findIndex((each) => after && nameOf(each) === nameOf(after)) + 1;
          return ok(all.slice(start, start + limit));
        },
      };
    },
    who,
  ],
  'tells all tenants on every page': [
    ({ tenants: all }) => ({ tenants: (_, limit) => all(undefined, limit) }),
    who,
  ],
  'tells the tenants of one environment': [
    ({ tenants: all }) => ({
      tenants: async (...args) =>
        ok((await settle(all(...args))).filter(({ environment }) => environment === 'sandbox')),
    }),
    who,
  ],
};
