import type { Tenant, TenantLog } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, paging, reading, settle, writing } from './store-parts.js';

const deals = '4/store/deal-with-parts';
const tenants = '2.1/store/tenants-are-apart';
const copies = '1.2/store/output-is-copied';
const recorded = '6.4/store/recorded-files';
const logged = '7/store/log-in-order';
const due = '6.6/store/due-order';
const times = '6.6/store/due-time-changes';
const tokens = '3/store/payment-token';
const who = '7/store/tenants';

const nameOf = ({ environment, partner }: Tenant) => `${environment} ${partner}`;

/** Returns the same objects again. */
function keeping<A extends readonly unknown[], T>(read: (...args: A) => T): (...args: A) => T {
  const kept = new Map<string, T>();
  return (...args) => {
    const name = JSON.stringify(args);
    const answer = kept.get(name) ?? read(...args);
    kept.set(name, answer);
    return answer;
  };
}

/** Stores with a mistake in their reads, and a law that it breaks. */
export const brokenReads: BrokenStores = {
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
    '6/store/nothing-else-changes',
  ],
  'rounds money to a number': [
    reading((deal) => ({
      ...deal,
      deal: { ...deal.deal, amount: Number(deal.deal.amount).toFixed(2) },
    })),
    '1.2/store/values-are-kept',
  ],
  'reads the proposals of a deal with it': [
    ({ deals: reads, records }) => ({
      deals: {
        ...reads,
        async byPartnerId(tenant, partner_id, parts) {
          const found = await settle(reads.byPartnerId(tenant, partner_id, parts));
          const range = { under: partner_id, direction: 'ascending', limit: 10 } as const;
          const proposal = await settle(records.list(tenant, 'proposal', range));
          return ok(found && { ...found, proposal });
        },
      },
    }),
    '1.2/store/values-are-kept',
  ],
  'forgets one of those that are due': [
    ({ due: all }) => ({
      due: async (...args) => ok((await settle(all(...args))).filter((_, at) => at !== 4)),
    }),
    due,
  ],
  'shows what is not due yet': [
    ({ due: all }) => ({ due: (tenant, kind, _, limit) => all(tenant, kind, '~', limit) }),
    due,
  ],
  'shows what is due from one moment later on': [
    ({ due: all }) => ({
      async due(tenant, kind, before, limit) {
        const found = await settle(all(tenant, kind, before, limit));
        return ok(found.filter(({ due_at }) => due_at !== before));
      },
    }),
    due,
  ],
  'shows what is due with the last first': [
    ({ due: all }) => ({
      due: async (...args) => ok([...(await settle(all(...args)))].reverse()),
    }),
    due,
  ],
  'shows what is due at one time in any order': [
    ({ due: all }) => ({
      async due(...args) {
        const found = [...(await settle(all(...args)))].reverse();
        return ok(found.sort((a, b) => ((a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1)));
      },
    }),
    due,
  ],
  'shows all that is due, whatever the limit': [
    ({ due: all }) => ({ due: (tenant, kind, before) => all(tenant, kind, before, 1000) }),
    due,
  ],
  'shows what is due of one kind for another': [
    ({ due: all }) => ({
      due: async (tenant, kind, before, limit) =>
        kind === 'intent' ? ok([]) : all(tenant, kind, before, limit),
    }),
    due,
  ],
  'goes on to show what is due at no time any more': [
    writing((write) => ({
      ...write,
      change: write.change.map((each) => {
        const { due_at, ...set } = each.set as Readonly<Record<string, unknown>>;
        return due_at === null ? { ...each, set } : each;
      }) as typeof write.change,
    })),
    times,
  ],
  'finds a payment token, whoever asks': [
    ({ commit, deals: reads }) => {
      const owners = new Map<string, Tenant>();
      return {
        commit: (tenant, write) => {
          for (const { kind, row } of write.insert) {
            if (kind === 'deal') owners.set(row.payment_token ?? '', tenant);
          }
          return commit(tenant, write);
        },
        deals: {
          ...reads,
          byPaymentToken: (tenant, token, parts) =>
            reads.byPaymentToken(owners.get(token) ?? tenant, token, parts),
        },
      };
    },
    tokens,
  ],
  'finds some deal, whatever the token': [
    ({ deals: reads }) => ({
      deals: {
        ...reads,
        byPaymentToken: (tenant, _, parts) => reads.byPartnerId(tenant, 'deal-0', parts),
      },
    }),
    tokens,
  ],
  'hands out what is due as it keeps it': [({ due: all }) => ({ due: keeping(all) }), copies],
  'hands out the deals that it keeps': [
    ({ deals: reads }) => ({ deals: { ...reads, byPartnerId: keeping(reads.byPartnerId) } }),
    copies,
  ],
  'hands out the entries that it keeps': [
    ({ deals: reads }) => ({ deals: { ...reads, list: keeping(reads.list) } }),
    copies,
  ],
  'hands out the events that it keeps': [
    ({ events }) => ({ events: { ...events, after: keeping(events.after) } }),
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
      const known = ({ tenant, end }: TenantLog) => {
        kept.set(nameOf(tenant), kept.get(nameOf(tenant)) ?? tenant);
        return { tenant: kept.get(nameOf(tenant)) as Tenant, end };
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
    '7.6/store/cursor-at-the-end',
  ],
  'does not move its cursor on': [paging((page, cursor = '0') => ({ ...page, cursor })), logged],
  'begins anew with a cursor that it does not know': [
    ({ events }) => ({
      events: {
        ...events,
        async after(tenant, cursor, limit) {
          const page = await settle(events.after(tenant, cursor, limit));
          return page === 'invalid_cursor' ? events.after(tenant, undefined, limit) : ok(page);
        },
      },
    }),
    '7.6/store/invalid-cursor',
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
    '7/store/log-again',
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
          return ok(all.slice(start, start + limit).map((tenant) => ({ tenant, end: '0' })));
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
        ok((await settle(all(...args))).filter(({ tenant }) => tenant.environment === 'sandbox')),
    }),
    who,
  ],
};
