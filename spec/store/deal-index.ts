import type { DealPosition } from '../../src/domain/cursor.js';
import { type DealFilter, entryOfDeal, entryOfDealV2 } from '../../src/domain/deal-list.js';
import type { DealStatus, FreelancerStatus } from '../../src/domain/status.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { DealStretch, ListedDeal, StoredDeal } from '../../src/ports/deal-index.js';
import { check, equal } from '../expectations.js';
import { changeOf, changeOfV2 } from './changes.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  ask,
  type DefineCase,
  dealEvent,
  globex,
  nextId,
  registration,
  type StoreSubject,
  scribble,
} from './subject.js';

/** More than there is. */
const all: DealStretch = { direction: 'older', from: undefined, limit: 1000 };

interface Placed {
  readonly created_at?: string;
  readonly event_id?: string;
  readonly email?: string;
}

/** Stores a deal of a version at a place of the list, and gives it as it is to be listed. */
export async function place(
  store: StoreSubject,
  tenant: Tenant,
  version: '1.0' | '2.0',
  partner_id: string,
  { created_at = '2026-01-01T00:00:00.000Z', event_id = nextId(), email }: Placed = {},
): Promise<ListedDeal> {
  const events = [{ ...dealEvent(tenant, partner_id, 1), id: event_id, at: created_at }];
  const position: DealPosition = { created_at, event_id };
  if (version === '2.0') {
    const given = additionV2(tenant, partner_id);
    const deal = { ...given.deal, created_at, ...(email && { email_freelancer: email }) };
    await ask(store.dealsV2.add(tenant, { ...given, deal, events }));
    return { entry: entryOfDealV2(deal), position };
  }
  const given = addition(tenant, partner_id);
  const deal = { ...given.deal, created_at, ...(email && { contractor_email: email }) };
  const outcome = await ask(store.deals.add(tenant, { ...given, deal, events }));
  check(outcome.outcome === 'created', 'the deal is created');
  return { entry: entryOfDeal({ ...deal, id: outcome.id, stages: [] }), position };
}

/** Places some deals at three times, three at each, in no order; the newest comes first. */
async function placeNine(store: StoreSubject, tenant: Tenant): Promise<readonly ListedDeal[]> {
  await ask(store.contractors.add(tenant, registration(tenant)));
  const times = [
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.001Z',
  ];
  const ids = Array.from({ length: 9 }, () => nextId()).sort();
  const listed: ListedDeal[] = [];
  for (const at of [4, 8, 0, 5, 1, 6, 3, 7, 2]) {
    const where = { created_at: times[at % 3] ?? '', event_id: ids[(at * 5) % 9] ?? '' };
    const version = at % 2 === 0 ? '1.0' : '2.0';
    listed.push(await place(store, tenant, version, `deal-${at}`, where));
  }
  return listed.sort((a, b) => (textOf(a) < textOf(b) ? 1 : -1));
}

const textOf = ({ position: { created_at, event_id } }: ListedDeal) => created_at + event_id;

/** What `DealIndex` promises: the deals of both versions, each in its place. */
export function dealIndex(define: DefineCase): void {
  define('finds a deal of either version by its partner_id', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    await place(store, acme, '1.0', 'one');
    await place(store, acme, '2.0', 'two');
    const one = await ask(store.deals.byPartnerId(acme, 'one'));
    const two = await ask(store.dealsV2.byPartnerId(acme, 'two'));
    const read = (id: string) => ask(store.dealIndex.byPartnerId(acme, id));
    check(one !== undefined && two !== undefined, 'both are there');
    equal(await read('one'), { api_version: '1.0', ...one }, 'the 1.0 deal');
    equal(await read('two'), { api_version: '2.0', ...two }, 'the 2.0 deal');
    for (const none of ['ONE', 'one ', 'three', '']) equal(await read(none), undefined, none);
    const statuses = { status: 'accepted', freelancer_status: 'invited' } as const;
    await ask(store.dealsV2.save(acme, changeOfV2(acme, 'two', 1, statuses)));
    const value = { ...two.value, ...statuses };
    const expected: StoredDeal = { api_version: '2.0', value, version: 2 };
    equal(await read('two'), expected, 'the saved deal');
  });

  define('finds and lists nothing of another tenant', async (store) => {
    const { dealIndex } = store;
    for (const tenant of [acme, acmeLive]) {
      await ask(store.contractors.add(tenant, registration(tenant)));
    }
    const own = new Map<Tenant, ListedDeal>();
    await place(store, acme, '1.0', 'only here');
    for (const tenant of [globex, acmeLive, { ...acme, partner: 'ACME' }]) {
      equal(await ask(dealIndex.byPartnerId(tenant, 'only here')), undefined, 'not found');
      equal(await ask(dealIndex.list(tenant, {}, all)), [], 'nothing to list');
      own.set(tenant, await place(store, tenant, '2.0', 'its own'));
    }
    for (const [tenant, listed] of own) {
      equal(await ask(dealIndex.list(tenant, {}, all)), [listed], 'its own deal');
      equal(
        await ask(dealIndex.list(tenant, { partner_id: 'only here' }, all)),
        [],
        'none by name',
      );
    }
    equal((await ask(dealIndex.list(acme, {}, all))).length, 1, 'the first has its one');
  });

  define('lists the newest first, and of one time the later event first', async (store) => {
    const expected = await placeNine(store, acme);
    equal(await ask(store.dealIndex.list(acme, {}, all)), expected, 'all of them');
    const reverse: DealStretch = { direction: 'newer', from: undefined, limit: 1000 };
    equal(await ask(store.dealIndex.list(acme, {}, reverse)), expected, 'in whatever direction');
    equal(await ask(store.dealIndex.list(globex, {}, all)), [], 'nothing of another');
  });

  define('gives every stretch: what is next to a position, and not itself', async (store) => {
    const listed = await placeNine(store, acme);
    const between = listed.map(({ position }) => ({
      ...position,
      event_id: `${position.event_id.slice(0, -1)}Z`,
    }));
    const positions = [undefined, ...listed.map(({ position }) => position), ...between];
    for (const from of positions) {
      for (const limit of [1, 2, 8, 9, 10]) {
        for (const direction of ['older', 'newer'] as const) {
          const found = await ask(store.dealIndex.list(acme, {}, { direction, from, limit }));
          const what = `${limit} ${direction} than ${JSON.stringify(from)}`;
          equal(found, stretchOf(listed, { direction, from, limit }), what);
        }
      }
    }
  });

  define('lists what passes the filter, each part of it and all together', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const listed: ListedDeal[] = [];
    for (let index = 0; index < 8; index += 1) {
      const created_at = `2026-01-01T00:00:00.00${index >> 1}Z`;
      const email = index % 3 === 0 ? 'Mixed.CASE@Example.com' : `u${index % 3}@example.com`;
      const version = index % 2 === 0 ? '1.0' : '2.0';
      listed.unshift(
        await place(store, acme, version, `deal-${index}`, {
          created_at,
          event_id: nextId(index),
          email,
        }),
      );
    }
    const accepted = await accept(store, listed);
    const filters: readonly DealFilter[] = [
      {},
      { partner_id: 'deal-3' },
      { partner_id: 'DEAL-3' },
      { status: 'created' },
      { status: 'accepted' },
      { status: 'expired' },
      { freelancer_status: 'new' },
      { freelancer_status: 'invited' },
      { email_key: 'mixed.case@example.com' },
      { email_key: 'u1@example.com' },
      { email_key: 'u' },
      ...[0, 1, 2, 3, 4].flatMap((millisecond): DealFilter[] => {
        const time = `2026-01-01T00:00:00.00${millisecond}Z`;
        const next = `2026-01-01T00:00:00.00${millisecond + 1}Z`;
        return [
          { created_from: time },
          { created_to: time },
          { created_from: time, created_to: next },
          { created_from: next, created_to: time },
          { created_from: time, status: 'accepted', email_key: 'mixed.case@example.com' },
        ];
      }),
      { partner_id: 'deal-3', status: 'expired' },
      { partner_id: 'deal-3', created_to: '2026-01-01T00:00:00.001Z' },
      { partner_id: 'deal-2', email_key: 'u2@example.com', freelancer_status: 'new' },
    ];
    for (const filter of filters) {
      const expected = accepted.filter(({ entry }) => isLetThrough(filter, entry));
      const found = await ask(store.dealIndex.list(acme, filter, all));
      equal(found, expected, JSON.stringify(filter));
      for (const direction of ['older', 'newer'] as const) {
        for (const { position } of listed) {
          const stretch: DealStretch = { direction, from: position, limit: 2 };
          const part = await ask(store.dealIndex.list(acme, filter, stretch));
          equal(part, stretchOf(expected, stretch), `${JSON.stringify(filter)}, two ${direction}`);
        }
      }
    }
  });

  define('lists a deal as it is now, where it has always been', async (store) => {
    const listed = await placeNine(store, acme);
    const statuses = ['created', 'accepted'] as const;
    const read = () =>
      Promise.all(statuses.map((status) => ask(store.dealIndex.list(acme, { status }, all))));
    equal(await read(), [listed, []], 'before a save');
    const moved = await accept(store, listed);
    equal(await ask(store.dealIndex.list(acme, {}, all)), moved, 'with its new status');
    const of = (status: DealStatus) => moved.filter(({ entry }) => entry.status === status);
    equal(await read(), statuses.map(of), 'among those of its new status, and of no other');
  });

  define('does not hand out what an index keeps', async (store) => {
    const listed = await placeNine(store, acme);
    const read = async () => [
      await ask(store.dealIndex.list(acme, {}, all)),
      await ask(store.dealIndex.byPartnerId(acme, 'deal-0')),
      await ask(store.dealIndex.byPartnerId(acme, 'deal-1')),
    ];
    const before = JSON.stringify(await read(), bigints);
    for (const each of await read()) scribble(each);
    equal(JSON.stringify(await read(), bigints), before, 'what is read after it');
    equal(await ask(store.dealIndex.list(acme, {}, all)), listed, 'the list');
  });
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

/** A stretch of a list that is newest first. */
export function stretchOf(
  listed: readonly ListedDeal[],
  { direction, from, limit }: DealStretch,
): readonly ListedDeal[] {
  const edge = from && from.created_at + from.event_id;
  if (direction === 'older') {
    return listed.filter((each) => edge === undefined || textOf(each) < edge).slice(0, limit);
  }
  return listed.filter((each) => edge === undefined || textOf(each) > edge).slice(-limit);
}

/** Saves every third deal with other statuses; the list with them. */
async function accept(
  store: StoreSubject,
  listed: readonly ListedDeal[],
): Promise<readonly ListedDeal[]> {
  const moved: ListedDeal[] = [];
  const statuses: { status: DealStatus; freelancer_status: FreelancerStatus } = {
    status: 'accepted',
    freelancer_status: 'invited',
  };
  for (const [index, { entry, position }] of listed.entries()) {
    if (index % 3 !== 0) {
      moved.push({ entry, position });
      continue;
    }
    const { partner_id } = entry;
    const one = await ask(store.deals.byPartnerId(acme, partner_id));
    const outcome = one
      ? await ask(store.deals.save(acme, changeOf(acme, one.value, 1, statuses)))
      : await ask(store.dealsV2.save(acme, changeOfV2(acme, partner_id, 1, statuses)));
    equal(outcome, 'saved', 'the save');
    moved.push({ entry: { ...entry, ...statuses }, position });
  }
  return moved;
}

function isLetThrough(filter: DealFilter, entry: ListedDeal['entry']): boolean {
  const checks: readonly boolean[] = [
    filter.partner_id === undefined || filter.partner_id === entry.partner_id,
    filter.status === undefined || filter.status === entry.status,
    filter.freelancer_status === undefined || filter.freelancer_status === entry.freelancer_status,
    filter.email_key === undefined || filter.email_key === entry.email_freelancer.toLowerCase(),
    filter.created_from === undefined || !(entry.created_at < filter.created_from),
    filter.created_to === undefined || entry.created_at < filter.created_to,
  ];
  return !checks.includes(false);
}
