import { createMemoryStore } from 'dealwright/memory';
import {
  type CommitOutcome,
  type DealPart,
  type DealWith,
  type EventPage,
  type Kind,
  type ListedDeal,
  type PortFailure,
  type Store,
  shapeOf,
  type Tenant,
  type WriteSet,
} from 'dealwright/ports';
import type { StoreSubject } from 'dealwright/spec';
import { ok, type Result } from 'neverthrow';

export const close = async () => undefined;

/** A correct store, to break. */
export function createGoodStore(): StoreSubject {
  return { ...createMemoryStore(), close };
}

/** The answer of a memory store. */
export async function settle<T>(
  answer: PromiseLike<Result<T, PortFailure>> | Result<T, PortFailure>,
) {
  const result = await answer;
  if (result.isErr()) throw new Error('a memory store does not fail');
  return result.value;
}

/** A fault of a store, as the methods that replace the correct ones. */
export type Fault = (store: StoreSubject) => Partial<Store>;

/** Faults by the behaviour of a store with one, and the law that it breaks. */
export type BrokenStores = Readonly<Record<string, readonly [fault: Fault, foundBy: string]>>;

/** A store with a fault. */
export function broken(fault: Fault): () => StoreSubject {
  return () => {
    const make = (store: StoreSubject): StoreSubject => {
      // the methods of the handle are its own, but the records are those of one store
      const handle = () => ({ ...store, ...fault(store) });
      return { ...handle(), reopened: handle, another: () => make(createGoodStore()) };
    };
    return make(createGoodStore());
  };
}

/** Makes another write than the given one. */
export function writing(change: (write: WriteSet, tenant: Tenant) => WriteSet): Fault {
  return (store) => ({
    commit: (tenant, write) => store.commit(tenant, change(write, tenant)),
  });
}

/** A row, or its changes, with money cut to 18 digits before the decimal point. */
export function cutMoney<R extends object>(kind: Kind, row: R): R {
  const { fields } = shapeOf(kind);
  const members = Object.entries(row).map(([name, value]) => {
    const isMoney = fields[name]?.type === 'money' && typeof value === 'string';
    return [name, isMoney ? value.replace(/\d+(?=\d{18}\.)/, '') : value];
  });
  return Object.fromEntries(members);
}

/** Answers a write with another outcome. */
export function answering(
  change: (outcome: CommitOutcome, write: WriteSet, tenant: Tenant) => CommitOutcome,
): Fault {
  return (store) => ({
    async commit(tenant, write) {
      return ok(change(await settle(store.commit(tenant, write)), write, tenant));
    },
  });
}

/** Judges these expectations before all others, but counts refusals as before. */
export function judgingFirst(isFirst: (expected: WriteSet['expect'][number]) => boolean): Fault {
  return (store) => ({
    async commit(tenant, write) {
      const order = [
        ...write.expect.filter(isFirst),
        ...write.expect.filter((each) => !isFirst(each)),
      ];
      const outcome = await settle(store.commit(tenant, { ...write, expect: order }));
      if (outcome.outcome === 'committed') return ok(outcome);
      const failed = order.slice(outcome.expectation, outcome.expectation + 1);
      return ok({
        ...outcome,
        expectation: write.expect.findIndex((each) => failed.includes(each)),
      });
    },
  });
}

type AnyDeal = DealWith<DealPart>;

/** Returns changed deals. */
export function reading(change: (deal: AnyDeal, tenant: Tenant) => AnyDeal): Fault {
  return ({ deals }) => ({
    deals: {
      ...deals,
      async byId(tenant, id, parts) {
        const deal = await settle(deals.byId(tenant, id, parts));
        return ok(deal && (change(deal as AnyDeal, tenant) as typeof deal));
      },
      async byPartnerId(tenant, partner_id, parts) {
        const deal = await settle(deals.byPartnerId(tenant, partner_id, parts));
        return ok(deal && (change(deal as AnyDeal, tenant) as typeof deal));
      },
      async byPaymentToken(tenant, payment_token, parts) {
        const deal = await settle(deals.byPaymentToken(tenant, payment_token, parts));
        return ok(deal && (change(deal as AnyDeal, tenant) as typeof deal));
      },
    },
  });
}

type List = Store['deals']['list'];

/** Lists deals in another way. */
export function listing(list: (list: List, ...args: Parameters<List>) => ReturnType<List>): Fault {
  return ({ deals }) => ({ deals: { ...deals, list: (...args) => list(deals.list, ...args) } });
}

/** Returns changed lists. */
export function relisting(
  change: (listed: readonly ListedDeal[], ...args: Parameters<List>) => readonly ListedDeal[],
): Fault {
  return listing(async (list, ...args) => ok(change(await settle(list(...args)), ...args)));
}

/** Returns changed pages of the log. */
export function paging(
  change: (page: EventPage, cursor: string | undefined, limit: number) => EventPage,
): Fault {
  return ({ events }) => ({
    events: {
      ...events,
      async after(tenant, cursor, limit) {
        const page = await settle(events.after(tenant, cursor, limit));
        return ok(page === 'invalid_cursor' ? page : change(page, cursor, limit));
      },
    },
  });
}

/** Takes each tenant for the one that `merge` returns for it. */
export function merging(merge: (tenant: Tenant) => Tenant): Fault {
  return ({ commit, deals, workFiles, events, records, due }) => ({
    commit: (tenant, write) => commit(merge(tenant), write),
    deals: {
      byId: (tenant, ...rest) => deals.byId(merge(tenant), ...rest),
      byPartnerId: (tenant, ...rest) => deals.byPartnerId(merge(tenant), ...rest),
      byPaymentToken: (tenant, ...rest) => deals.byPaymentToken(merge(tenant), ...rest),
      list: (tenant, ...rest) => deals.list(merge(tenant), ...rest),
    },
    workFiles: { recorded: (tenant, ids) => workFiles.recorded(merge(tenant), ids) },
    events: {
      after: (tenant, ...rest) => events.after(merge(tenant), ...rest),
      of: (tenant, ...rest) => events.of(merge(tenant), ...rest),
    },
    records: {
      byKey: (tenant, ...rest) => records.byKey(merge(tenant), ...rest),
      list: (tenant, ...rest) => records.list(merge(tenant), ...rest),
      byIndex: ({ environment, partner }, ...rest) =>
        records.byIndex(
          partner === undefined ? { environment } : merge({ environment, partner }),
          ...rest,
        ),
    },
    due: (tenant, ...rest) => due(merge(tenant), ...rest),
  });
}

/** Changes the keys of records by `fold`. */
export function folding(fold: (key: string) => string): Fault {
  const folded = <T>(key: T) => (typeof key === 'string' ? fold(key) : key) as T;
  const members = ['partner_id', 'answer_key', 'contractor_key'];
  return ({ commit, deals }) => ({
    commit: (tenant, { expect, insert, subject, ...write }) =>
      commit(tenant, {
        ...write,
        expect: expect.map((each) => ('key' in each ? { ...each, key: folded(each.key) } : each)),
        insert: insert.map(({ kind, row }) => {
          const fields = Object.entries(row).map(([name, value]) => {
            return [name, members.includes(name) ? folded(value) : value];
          });
          return { kind, row: Object.fromEntries(fields) };
        }) as WriteSet['insert'],
        ...(subject && { subject: { ...subject, key: folded(subject.key) } }),
      } as WriteSet),
    deals: {
      ...deals,
      byPartnerId: (tenant, partner_id, parts) =>
        deals.byPartnerId(tenant, fold(partner_id), parts),
    },
  });
}

/** Pauses of growing length, so that no two keep step. */
export function createPause(): () => Promise<void> {
  let turns = 0;
  return async () => {
    turns += 5;
    for (let turn = turns; turn > 0; turn -= 1) await undefined;
  };
}

/** The first hundred events of a tenant. */
export async function eventsOf({ events }: Pick<Store, 'events'>, tenant: Tenant) {
  const page = await settle(events.after(tenant, undefined, 100));
  if (page === 'invalid_cursor') throw new Error('the beginning is not a cursor');
  return page.events;
}
