import {
  type AnyRow,
  type DealFilter,
  type DealPosition,
  type DealRange,
  type ListedDeal,
  listedFields,
  passes,
  type Stored,
  type Tenant,
} from 'dealwright/ports';
import { type Entry, endOf, entryKey, keyOf, listIndexes } from './entries.js';
import { type KeyValueLike, readRange } from './key-value-like.js';

/** The last ones of the table are the most selective. */
const indexes = [...listIndexes].reverse();

/** The members of a filter about the position in the list. */
const times = ['created_from', 'created_to'];

/** A page of deals, newest first: a part of one range of one index. */
export async function listDeals(
  kv: KeyValueLike,
  tenant: Tenant,
  filter: DealFilter,
  { direction, from, limit }: DealRange,
): Promise<readonly ListedDeal[]> {
  const { partner_id, created_from, created_to } = filter;
  const reverse = direction === 'older';
  const asked = filter as AnyRow;
  // the last two fields of an index are the position in the list
  const fits = (index: readonly string[]) => index.slice(0, -2).every((field) => asked[field]);
  const index = indexes.find(fits) ?? [];
  const same = index.slice(0, -2).map((field) => asked[field] ?? null);
  const keyAt = (...position: readonly (string | undefined)[]) => {
    const parts = [...same, ...position].filter((each) => each !== undefined);
    return entryKey('index', tenant, 'deal', index.join(), ...parts);
  };
  const edge = keyAt(from?.created_at, from?.attempt);
  const starts = [keyAt(created_from), ...(from && !reverse ? [endOf(edge)] : [])];
  const ends = [
    created_to ? keyAt(created_to) : endOf(keyAt()),
    ...(from && reverse ? [edge] : []),
  ];
  const one = entryKey('record', tenant, 'deal', partner_id ?? '');
  // the records under a record come after it
  const [gte = '', lt = ''] =
    partner_id === undefined ? [starts.sort().at(-1), ends.sort()[0]] : [one, `${one} `];
  const at = (deal: DealPosition) => keyOf(deal.created_at, deal.attempt);
  const isBeyond = (row: DealPosition) =>
    from === undefined || (reverse ? at(row) < at(from) : at(row) > at(from));
  const isListed = (entry: Entry) => {
    const row = entry.row as Stored<'deal'>;
    return passes(filter, row) && isBeyond(row);
  };
  // the range of the index is exact, except for filters without a field in it
  const isExact = Object.keys(filter).every((field) => [...index, ...times].includes(field));
  const isWanted = isExact ? undefined : isListed;
  const found = await readRange<Entry>(kv, { gte, lt, reverse }, limit, isWanted);
  const listed = found.map(({ row }) => {
    const shown = [...listedFields, 'attempt'].map((field) => [field, row[field]]);
    return Object.fromEntries(shown) as ListedDeal;
  });
  return reverse ? listed : listed.reverse();
}
