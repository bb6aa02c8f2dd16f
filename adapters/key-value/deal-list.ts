import {
  type AnyRow,
  type DealFilter,
  type DealRange,
  type ListedDeal,
  listedFields,
  passes,
  records,
  type Stored,
  type Tenant,
} from 'dealwright/ports';
import { type Entry, indexKey, recordKey } from './entries.js';
import type { KeyValueLike } from './key-value-like.js';
import { endOf } from './keys.js';

/** Those that come last in the table tell deals best apart. */
const indexes: readonly (readonly string[])[] = [...records.deal.indexes].reverse();

/** A page of deals, newest first: a part of one range of one index. */
export async function listDeals(
  kv: KeyValueLike,
  tenant: Tenant,
  filter: DealFilter,
  { direction, from, limit }: DealRange,
): Promise<readonly ListedDeal[]> {
  const { partner_id, created_from, created_to } = filter;
  const asked = filter as AnyRow;
  // the last two fields of an index are the position in the list
  const fits = (index: readonly string[]) => index.slice(0, -2).every((field) => asked[field]);
  const index = indexes.find(fits) ?? [];
  const same = index.slice(0, -2).map((field) => asked[field] ?? null);
  const keyAt = (...position: readonly string[]) =>
    indexKey(tenant, 'deal', index, [...same, ...position]);
  const starts = [created_from === undefined ? keyAt() : keyAt(created_from)];
  const ends = [created_to === undefined ? endOf(keyAt()) : keyAt(created_to)];
  if (from !== undefined) {
    const edge = keyAt(from.created_at, from.attempt);
    if (direction === 'older') ends.push(edge);
    else starts.push(endOf(edge));
  }
  const [gte = '', lt = ''] = [starts.sort().at(-1), ends.sort()[0]];
  if (gte >= lt) return [];

  const ofOne = async (key: string) => {
    const { row } = JSON.parse((await kv.get(key)) ?? '{"row":{}}') as Entry;
    const at = indexKey(
      tenant,
      'deal',
      index,
      index.map((field) => row[field] ?? null),
    );
    return at >= gte && at < lt ? [JSON.stringify(row)] : [];
  };
  const values =
    partner_id === undefined
      ? kv.values({ gte, lt, reverse: direction === 'older' })
      : await ofOne(recordKey(tenant, 'deal', partner_id));
  const found: ListedDeal[] = [];
  for await (const value of values) {
    const row = JSON.parse(value) as Stored<'deal'>;
    if (!passes(filter, row)) continue;
    const shown = [...listedFields, 'attempt' as const].map((field) => [field, row[field]]);
    found.push(Object.fromEntries(shown) as ListedDeal);
    if (found.length === limit) break;
  }
  return direction === 'older' ? found : found.reverse();
}
