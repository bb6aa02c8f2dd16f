import {
  type DealPart,
  type DealWith,
  type PortFailure,
  type Store,
  type Stored,
  type Tenant,
  unavailable,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { listDeals } from './deal-list.js';
import { type Entry, eventKey, numberKey, recordKey, reservedKey, tenantKey } from './entries.js';
import type { KeyValueLike } from './key-value-like.js';
import { endOf } from './keys.js';
import { planCommit, type TenantEntry } from './plan-commit.js';

/**
 * Makes a whole store out of an ordered key-value store: records, indexes, counts, logs of events
 * and reserved integers are entries of it, and a write is one batch. Where `kv` has no transactions,
 * this is the only process and the only store that may write to it.
 *
 * @example
 * ```ts
 * import { createKeyValueStore, type KeyValueLike } from 'dealwright/key-value';
 *
 * const open = (kv: KeyValueLike) => createKeyValueStore(kv);
 * ```
 */
export function createKeyValueStore(kv: KeyValueLike): Store {
  const inTurn = createTurns();
  const exclusively = <T>(run: (within: KeyValueLike) => Promise<T>): PromiseLike<T> =>
    kv.transaction?.(run) ?? inTurn(() => run(kv));

  async function byPartnerId<P extends DealPart>(
    tenant: Tenant,
    partner_id: string,
    parts: readonly P[],
  ): Promise<DealWith<P> | undefined> {
    const gte = recordKey(tenant, 'deal', partner_id);
    const found: Partial<Record<string, unknown[]>> = { deal: [] };
    for (const part of parts) found[part] = [];
    // the deal comes first: what is under it is not read where nobody asked for it
    for await (const value of kv.values({ gte, lt: endOf(gte), reverse: false })) {
      const { kind, row } = JSON.parse(value) as Entry;
      found[kind]?.push(row);
      if (parts.length === 0) break;
    }
    const deal = found['deal']?.[0];
    return deal === undefined ? undefined : ({ ...found, deal } as DealWith<P>);
  }

  return {
    async commit(tenant, write) {
      let outcome: PortFailure['outcome'] = 'none';
      const decide = async (within: KeyValueLike) => {
        const plan = await planCommit(within, tenant, write);
        if ('outcome' in plan) return plan;
        outcome = 'unknown';
        await within.batch(plan);
        return { outcome: 'committed' } as const;
      };
      try {
        return ok(await exclusively(decide));
      } catch (cause) {
        return unavailable({ outcome, cause });
      }
    },

    async reserve(environment, count) {
      const key = reservedKey(environment);
      const take = async (within: KeyValueLike) => {
        const last = Number((await within.get(key)) ?? 0);
        if (count > Number.MAX_SAFE_INTEGER - last) return undefined;
        await within.batch([{ type: 'put', key, value: String(last + count) }]);
        return last + 1;
      };
      const first = await answer(() => exclusively(take));
      if (first.isErr() || first.value !== undefined) return first as Result<number, PortFailure>;
      const cause = new Error('all integers are reserved');
      return unavailable({ outcome: 'none', retryable: false, cause });
    },

    deals: {
      byId: (tenant, id, parts) =>
        answer(async () => {
          const key = await kv.get(numberKey(tenant, 'deal', id));
          return key === undefined ? undefined : byPartnerId(tenant, JSON.parse(key), parts);
        }),
      byPartnerId: (tenant, partner_id, parts) =>
        answer(() => byPartnerId(tenant, partner_id, parts)),
      list: (tenant, filter, range) => answer(() => listDeals(kv, tenant, filter, range)),
    },

    workFiles: {
      recorded: (tenant, ids) =>
        answer(async () => {
          const load = (id: string) => kv.get(recordKey(tenant, 'work_file', id));
          const found = await Promise.all(ids.map(load));
          return ids.filter((_, at) => found[at] !== undefined);
        }),
    },

    events: {
      after: (tenant, cursor = '0', limit) =>
        answer(async () => {
          const own = await kv.get(tenantKey(tenant));
          const last = own === undefined ? 0 : (JSON.parse(own) as TenantEntry).events;
          const after = Number(cursor);
          if (!/^(?:0|[1-9]\d{0,15})$/.test(cursor) || after > last) return 'invalid_cursor';
          const end = Math.min(after + limit, last);
          const range = { gte: eventKey(tenant, after + 1), lt: eventKey(tenant, end + 1) };
          const events = await take<Stored<'event'>>(kv, range, limit);
          return { events, cursor: String(end) };
        }),
    },

    tenants: (after, limit) =>
      answer(async () => {
        const range = { gte: after ? endOf(tenantKey(after)) : 'tenant', lt: endOf('tenant') };
        const found = await take<TenantEntry>(kv, range, limit);
        return found.map(({ environment, partner }) => ({ environment, partner }));
      }),
  };
}

/** The first values of a range. */
async function take<T>(
  kv: KeyValueLike,
  range: { readonly gte: string; readonly lt: string },
  limit: number,
): Promise<T[]> {
  const found: T[] = [];
  if (range.gte >= range.lt) return found;
  for await (const value of kv.values({ ...range, reverse: false })) {
    found.push(JSON.parse(value) as T);
    if (found.length === limit) break;
  }
  return found;
}

/** What may have happened is of no consequence: it was a read, or integers that nobody uses. */
async function answer<T>(ask: () => PromiseLike<T>): Promise<Result<T, PortFailure>> {
  try {
    return ok(await ask());
  } catch (cause) {
    return unavailable({ outcome: 'none', cause });
  }
}

/** Runs one after the other. */
function createTurns(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
}
