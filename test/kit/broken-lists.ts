import type { DealFilter, ListedDeal, Store, Tenant } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, type Fault, listing, relisting, settle } from './store-parts.js';

const order = '4/store/newest-first';
const costs = '4/store/cost-of-a-page';
const ranges = '4/store/ranges';
const filters = '4/store/filters';
const tenants = '2.1/store/tenants-are-apart';

/** Ignores this part of a filter. */
const forgetting = (part: keyof DealFilter): Fault =>
  listing((list, tenant, { [part]: _, ...filter }, range) => list(tenant, filter, range));

/** Takes a time of a filter for a moment later. */
const later = (part: 'created_from' | 'created_to'): Fault =>
  listing((list, tenant, filter, range) => {
    const time = filter[part];
    return list(tenant, time === undefined ? filter : { ...filter, [part]: `${time}~` }, range);
  });

const everything = { direction: 'older', from: undefined, limit: 1000 } as const;

/** Reads every deal, as a store without an index does: each is parsed, as one from a disk is. */
const readAll = async (list: Store['deals']['list'], tenant: Tenant): Promise<unknown> =>
  JSON.parse(JSON.stringify(await settle(list(tenant, {}, { ...everything, limit: 1e9 }))));

/** Stores with a mistake in the lists of deals, and a law that it breaks. */
export const brokenLists: BrokenStores = {
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
  'looks at all deals for a page': [
    listing(async (list, ...args) => {
      await readAll(list, args[0]);
      return list(...args);
    }),
    costs,
  ],
  'has no index for what needs somebody': [
    listing(async (list, tenant, filter, range) => {
      if (filter.attention !== undefined) await readAll(list, tenant);
      return list(tenant, filter, range);
    }),
    costs,
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
  'forgets the filter of what needs somebody': [forgetting('attention'), filters],
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
    '4/store/list-is-current',
  ],
  'lists more of a deal than an entry has': [
    relisting((listed) => listed.map((each) => ({ ...each, payment_token: 'secret' }))),
    order,
  ],
};
