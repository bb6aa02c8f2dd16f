import type { DealIndex, ListedDeal, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, mergeTenants, settle, withIndex } from './store-parts.js';

/** An index whose every list is changed before it is handed out. */
const relisted = (change: (listed: readonly ListedDeal[]) => readonly ListedDeal[]) => () =>
  withIndex(({ dealIndex }) => ({
    list: async (...args) => ok(change(await settle(dealIndex.list(...args)))),
  }));

/** An index that is asked for something else than it was asked for. */
const asked =
  (change: (...args: Parameters<DealIndex['list']>) => Parameters<DealIndex['list']>) => () =>
    withIndex(({ dealIndex }) => ({ list: (...args) => dealIndex.list(...change(...args)) }));

/** One that does not heed this part of the filter. */
const forgetting = (part: keyof Parameters<DealIndex['list']>[1]) =>
  asked((tenant, { [part]: _, ...filter }, stretch) => [tenant, filter, stretch]);

const order = 'lists the newest first, and of one time the later event first';
const stretches = 'gives every stretch: what is next to a position, and not itself';
const filters = 'lists what passes the filter, each part of it and all together';

/** Mistakes in the index of deals. */
export const brokenIndexes: BrokenStores = {
  'lists the oldest first': {
    make: relisted((listed) => [...listed].reverse()),
    foundBy: order,
  },
  'breaks ties by the partner_id': {
    make: relisted((listed) => {
      const place = ({ entry, position }: ListedDeal) => position.created_at + entry.partner_id;
      return [...listed].sort((a, b) => (place(a) < place(b) ? 1 : -1));
    }),
    foundBy: order,
  },
  'includes the position itself': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const listed = await settle(dealIndex.list(tenant, filter, stretch));
          const { from, direction, limit } = stretch;
          const everything = { direction: 'older', from: undefined, limit: 1000 } as const;
          const itself = (await settle(dealIndex.list(tenant, filter, everything))).filter(
            ({ position }) => position.event_id === from?.event_id,
          );
          return ok(
            direction === 'older'
              ? [...itself, ...listed].slice(0, limit)
              : [...listed, ...itself].slice(-limit),
          );
        },
      })),
    foundBy: stretches,
  },
  'compares positions by their time alone': {
    make: asked((tenant, filter, stretch) => [
      tenant,
      filter,
      {
        ...stretch,
        from: stretch.from && {
          ...stretch.from,
          event_id: stretch.direction === 'older' ? '' : '~',
        },
      },
    ]),
    foundBy: stretches,
  },
  'gives one more than it was asked for': {
    make: asked((tenant, filter, stretch) => [
      tenant,
      filter,
      { ...stretch, limit: stretch.limit + 1 },
    ]),
    foundBy: stretches,
  },
  'gives the far end of what is newer': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const { direction, limit } = stretch;
          if (direction === 'older') return dealIndex.list(tenant, filter, stretch);
          const newer = await settle(dealIndex.list(tenant, filter, { ...stretch, limit: 1000 }));
          return ok(newer.slice(0, limit));
        },
      })),
    foundBy: stretches,
  },
  'gives what is newer in the order of the walk': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const listed = await settle(dealIndex.list(tenant, filter, stretch));
          return ok(stretch.direction === 'older' ? listed : [...listed].reverse());
        },
      })),
    foundBy: stretches,
  },
  'filters a page instead of the list': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const page = await settle(dealIndex.list(tenant, {}, stretch));
          const all = await settle(
            dealIndex.list(tenant, filter, { ...stretch, from: undefined, limit: 1000 }),
          );
          const names = new Set(all.map(({ entry }) => entry.partner_id));
          return ok(page.filter(({ entry }) => names.has(entry.partner_id)));
        },
      })),
    foundBy: filters,
  },
  'forgets the filter of partner_id': { make: forgetting('partner_id'), foundBy: filters },
  'forgets the filter of status': { make: forgetting('status'), foundBy: filters },
  'forgets the filter of the freelancer': {
    make: forgetting('freelancer_status'),
    foundBy: filters,
  },
  'forgets the filter of the address': { make: forgetting('email_key'), foundBy: filters },
  'forgets from when': { make: forgetting('created_from'), foundBy: filters },
  'forgets until when': { make: forgetting('created_to'), foundBy: filters },
  'takes created_to for inclusive': {
    make: asked((tenant, { created_to, ...filter }, stretch) => [
      tenant,
      created_to === undefined ? filter : { ...filter, created_to: created_to.replace('Z', '~') },
      stretch,
    ]),
    foundBy: filters,
  },
  'takes created_from for exclusive': {
    make: asked((tenant, { created_from, ...filter }, stretch) => [
      tenant,
      created_from === undefined
        ? filter
        : { ...filter, created_from: created_from.replace('Z', '~') },
      stretch,
    ]),
    foundBy: filters,
  },
  'compares addresses as they were written': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const listed = await settle(dealIndex.list(tenant, filter, stretch));
          const { email_key } = filter;
          return ok(
            listed.filter(
              ({ entry }) => email_key === undefined || entry.email_freelancer === email_key,
            ),
          );
        },
      })),
    foundBy: filters,
  },
  'lists the deals of another partner': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        list: async (tenant, filter, stretch) => {
          const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
          const own = await settle(dealIndex.list(tenant, filter, stretch));
          if (tenant.environment !== 'sandbox' || tenant.partner === 'acme') return ok(own);
          return ok([...own, ...(await settle(dealIndex.list(acme, filter, stretch)))]);
        },
      })),
    foundBy: 'finds and lists nothing of another tenant',
  },
  'lists the deals of another environment': {
    make: () => {
      const merged = mergeTenants(({ partner }) => ({ environment: 'sandbox', partner }));
      return withIndex(({ dealIndex }) => ({
        list: async (tenant, ...rest) => {
          const own = await settle(dealIndex.list(tenant, ...rest));
          return own.length > 0 || tenant.environment === 'sandbox'
            ? ok(own)
            : dealIndex.list({ ...tenant, environment: 'sandbox' }, ...rest);
        },
        byPartnerId: (...args) => merged.dealIndex.byPartnerId(...args),
      }));
    },
    foundBy: 'finds and lists nothing of another tenant',
  },
  'finds no deal of version 1.0': {
    make: () =>
      withIndex(({ dealIndex }) => ({
        byPartnerId: async (...args) => {
          const found = await settle(dealIndex.byPartnerId(...args));
          return ok(found?.api_version === '1.0' ? undefined : found);
        },
      })),
    foundBy: 'finds a deal of either version by its partner_id',
  },
  'lists deals as they were when they were created': {
    make: () =>
      withIndex(({ dealIndex }) => {
        const first = new Map<string, ListedDeal>();
        return {
          list: async (...args) => {
            const listed = await settle(dealIndex.list(...args));
            return ok(
              listed.map((each) => {
                const initial = { status: 'created', freelancer_status: 'new' } as const;
                const known = first.get(each.position.event_id) ?? {
                  ...each,
                  entry: { ...each.entry, ...initial },
                };
                first.set(each.position.event_id, known);
                return structuredClone(known);
              }),
            );
          },
        };
      }),
    foundBy: 'lists a deal as it is now, where it has always been',
  },
  'hands out the entries that it keeps': {
    make: () =>
      withIndex(({ dealIndex }) => {
        const kept = new Map<string, ListedDeal>();
        return {
          list: async (...args) => {
            const listed = await settle(dealIndex.list(...args));
            return ok(
              listed.map((each) => {
                const { event_id } = each.position;
                const known = kept.get(event_id) ?? each;
                kept.set(event_id, known);
                return known;
              }),
            );
          },
        };
      }),
    foundBy: 'does not hand out what an index keeps',
  },
};
