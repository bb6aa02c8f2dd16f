import type { DealFilter, DealIndex, DealStretch } from 'dealwright/ports';
import { listedDealOf, storedDealOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import { dealJson, listedJson } from './selects.js';
import type { Prepare, SqliteValue, Statement } from './sqlite-like.js';

/** What a filter asks to be equal, that which tells deals best apart first, each with its index. */
const traits = [
  ['email_key', 'by_email'],
  ['freelancer_status', 'by_freelancer_status'],
  ['status', 'by_status'],
] as const;

/** Before every time that a deal may have, and behind every one. */
const firstTime = '';
const lastTime = '~';

/** The statement for a page of a list, and what it is given. */
export function pageOf(
  tenant: string,
  filter: DealFilter,
  { direction, from, limit }: DealStretch,
): { readonly sql: string; readonly values: readonly SqliteValue[] } {
  const given = traits.filter(([trait]) => filter[trait] !== undefined);
  // a partner_id names one deal, and its own index finds it
  const index =
    filter.partner_id === undefined ? indexOf(given.map(([, name]) => name)) : undefined;
  const alike = [
    ...(filter.partner_id === undefined ? [] : [['partner_id', filter.partner_id] as const]),
    ...given.map(([trait]) => [trait, filter[trait] ?? ''] as const),
  ];
  const isOlder = direction === 'older';
  const { created_from = firstTime, created_to = lastTime } = filter;
  // no event has the id '': it comes before all others of its millisecond
  const oldest = { created_at: created_from, event_id: '' };
  const newest = { created_at: created_to, event_id: '' };
  const after = !isOlder && from !== undefined ? laterOf(oldest, from) : oldest;
  const before = isOlder && from !== undefined ? earlierOf(newest, from) : newest;
  const order = isOlder ? 'desc' : 'asc';
  return {
    sql: `select ${listedJson} as json from dealwright_deals d
      ${index === undefined ? '' : `indexed by dealwright_deals_${index}`}
      where d.tenant = ? ${alike.map(([column]) => `and d.${column} = ?`).join(' ')}
      and (d.created_at, d.event_id) > (?, ?) and (d.created_at, d.event_id) < (?, ?)
      order by d.created_at ${order}, d.event_id ${order} limit ?`,
    values: [
      tenant,
      ...alike.map(([, value]) => value),
      ...[after.created_at, after.event_id],
      ...[before.created_at, before.event_id],
      limit,
    ],
  };
}

/** Of both statuses together there may be no deal, where there are many of each. */
function indexOf([first = 'in_order', ...others]: readonly string[]): string {
  return first === 'by_freelancer_status' && others.length > 0 ? 'by_statuses' : first;
}

type Place = Exclude<DealStretch['from'], undefined>;

function laterOf(a: Place, b: Place): Place {
  return isBefore(a, b) ? b : a;
}

function earlierOf(a: Place, b: Place): Place {
  return isBefore(a, b) ? a : b;
}

function isBefore(a: Place, b: Place): boolean {
  return a.created_at === b.created_at ? a.event_id < b.event_id : a.created_at < b.created_at;
}

/** The deals of both versions, to be read. */
export function createDealIndex(prepare: Prepare, { read }: Connection): DealIndex {
  const byPartnerId = prepare(`select ${dealJson} as json from dealwright_deals d
    where d.tenant = ? and d.partner_id = ?`);
  const pages = new Map<string, Statement>();
  const statementOf = (sql: string) => {
    const known = pages.get(sql) ?? prepare(sql);
    pages.set(sql, known);
    return known;
  };

  return {
    byPartnerId(tenant, partner_id) {
      return read('dealIndex.byPartnerId', () => {
        const found = byPartnerId.get<{ json: string }>(tenantText(tenant), partner_id);
        return found && storedDealOf(found.json);
      });
    },
    list(tenant, filter, stretch) {
      return read('dealIndex.list', () => {
        const { sql, values } = pageOf(tenantText(tenant), filter, stretch);
        const rows = statementOf(sql).all<{ json: string }>(...values);
        const listed = rows.map(({ json }) => listedDealOf(json));
        return stretch.direction === 'older' ? listed : listed.reverse();
      });
    },
  };
}
