import {
  type DealPart,
  type DealWith,
  type EventPage,
  type Indexed,
  type IndexOwner,
  type IndexRange,
  type KeyOf,
  type ListedDeal,
  type ListedKind,
  type RecordKind,
  type RecordRange,
  type Store,
  type Stored,
  shapeOf,
  type Tenant,
  type TimedKind,
} from 'dealwright/ports';
import { indexQuery, indexValues } from '../sql/index-range.js';
import { dueTables, type Table, tables } from '../sql/tables.js';
import { tenantOf, tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import { pageOf } from './deal-list.js';
import type { Prepare, SqliteValue, Statement } from './sqlite-like.js';
import { byKey, indexOf, jsonOf, nameOf, storedJson } from './statements.js';

interface Log {
  readonly tenant: string;
  readonly last_position: number;
}

interface Json {
  readonly json: string;
}

/** The reads of a store. */
export function createReads(
  prepare: Prepare,
  { read }: Connection,
): Pick<Store, 'deals' | 'workFiles' | 'events' | 'records' | 'due' | 'tenants'> {
  const lastOf = prepare(
    'select last_position as last_position from dealwright_tenants where tenant = ?',
  );
  const eventsAfter = prepare(`select ${storedJson('event', 'e')} as json
    from ${nameOf(tables.event)} e where e.tenant = ? and e.position > ?
    order by e.position limit ?`);
  const eventsOf =
    prepare(`select ${storedJson('event', 'e')} as json from ${nameOf(tables.event)} e
    indexed by ${indexOf(tables.event, ['subject', 'sequence'])}
    where e.tenant = ? and e.subject = ? and e.sequence > ? order by e.sequence limit ?`);
  const recordedFiles = prepare(`select id as id from ${nameOf(tables.work_file)}
    where tenant = ? and id in (select value from json_each(?))`);
  const tenantsAfter =
    prepare(`select tenant as tenant, last_position as last_position from dealwright_tenants
    where tenant > ? and last_position > 0 order by tenant limit ?`);

  const someDue = prepare(dueIn('limit'));
  const tenantsDue = prepare(`select t.tenant as tenant, t.last_position as last_position from (
      select tenant from (${dueIn('all')}) where tenant > ? group by tenant order by tenant limit ?
    ) d join dealwright_tenants t on t.tenant = d.tenant order by t.tenant`);
  const tenantsWithDue =
    prepare(`select t.tenant as tenant, t.last_position as last_position from dealwright_tenants t
    where t.tenant > ? and (${dueTables.map(hasDue).join(' or ')}) order by t.tenant limit ?`);
  /** The tenants with due records: found by those, or tenant by tenant if much is due. */
  const dueAfter = (from: string, limit: number, before: string) => {
    const times = dueTables.map(() => before);
    const few = someDue.all(...times.flatMap((time) => [time, manyDue])).length < manyDue;
    return few
      ? tenantsDue.all<Log>(...times, from, limit)
      : tenantsWithDue.all<Log>(from, ...times, limit);
  };

  const findDeal = <K extends string | number>(name: string, column: string, index = '') => {
    const selects = new Map<string, Statement>();
    const selectWith = (parts: readonly DealPart[]) =>
      prepare(`${selectDeal(parts)} ${index} where d.tenant = ? and d.${column} = ?`);
    return <P extends DealPart>(tenant: Tenant, key: K, parts: readonly P[]) =>
      read(name, () => {
        const names = parts.join();
        const select = selects.get(names) ?? selectWith(parts);
        selects.set(names, select);
        const found = select.get<Json>(tenantText(tenant), key);
        return found && (JSON.parse(found.json) as DealWith<P>);
      });
  };

  return {
    deals: {
      byId: findDeal<number>('deals.byId', String(shapeOf('deal').number)),
      byPartnerId: findDeal<string>('deals.byPartnerId', tables.deal.key),
      byPaymentToken: findDeal<string>(
        'deals.byPaymentToken',
        'payment_token',
        // SQLite does not know that the index has one deal for a token, and might take another one
        `indexed by ${indexOf(tables.deal, ['payment_token'])}`,
      ),
      list(tenant, filter, range) {
        return read('deals.list', () => {
          const { sql, values } = pageOf(tenantText(tenant), filter, range);
          const rows = prepare(sql).all<Json>(...values);
          const listed = rows.map(({ json }) => JSON.parse(json) as ListedDeal);
          return range.direction === 'older' ? listed : listed.reverse();
        });
      },
    },
    workFiles: {
      recorded(tenant, ids) {
        return read('workFiles.recorded', () => {
          const rows = recordedFiles.all<{ id: string }>(tenantText(tenant), JSON.stringify(ids));
          return rows.map(({ id }) => id);
        });
      },
    },
    events: {
      after(given, cursor, limit) {
        return read<EventPage | 'invalid_cursor'>('events.after', () => {
          const tenant = tenantText(given);
          const position = /^(?:0|[1-9]\d{0,15})$/.test(cursor ?? '0') ? Number(cursor ?? '0') : -1;
          if (position < 0) return 'invalid_cursor';
          const rows = eventsAfter.all<Json>(tenant, position, limit);
          // read last, so that the end is never before the events of the page
          const last = lastOf.get<{ last_position: number }>(tenant)?.last_position ?? 0;
          if (position > last) return 'invalid_cursor';
          const events = rows.map(({ json }) => JSON.parse(json) as Stored<'event'>);
          return { events, cursor: String(position + events.length), end: String(last) };
        });
      },
      of(tenant, subject, sequence, limit) {
        return read('events.of', () => {
          const rows = eventsOf.all<Json>(tenantText(tenant), subject, sequence, limit);
          return rows.map(({ json }) => JSON.parse(json) as Stored<'event'>);
        });
      },
    },
    records: {
      byKey<K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) {
        return read('records.byKey', () => {
          const found = prepare(selectByKey(kind)).get<Json>(tenantText(tenant), key);
          return found && (JSON.parse(found.json) as Stored<K>);
        });
      },
      list<K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) {
        return read('records.list', () => {
          const { sql, values } = selectRange(kind, tenantText(tenant), range);
          return prepare(sql)
            .all<Json>(...values)
            .map(({ json }) => JSON.parse(json) as Stored<K>);
        });
      },
      byIndex<K extends RecordKind>(owner: IndexOwner, kind: K, range: IndexRange) {
        return read('records.byIndex', () => {
          return prepare(selectByIndex(owner, kind, range))
            .all<Json>(...indexValues(owner, range))
            .map(({ json }): Indexed<K> => {
              const [tenant, row] = JSON.parse(json) as [string, Indexed<K>['row']];
              return { partner: tenantOf(tenant).partner, row };
            });
        });
      },
    },
    due<K extends TimedKind>(
      tenant: Tenant,
      kind: K,
      before: string,
      limit: number,
      under?: string,
    ) {
      return read('due', () => {
        const above = tables[kind].dueUnder.map(() => under ?? '');
        const values = [tenantText(tenant), ...above, before, limit];
        const rows = prepare(selectDue(kind)).all<Json>(...values);
        return rows.map(({ json }) => JSON.parse(json) as Stored<K>);
      });
    },
    tenants(after, limit, before) {
      return read('tenants', () => {
        const from = after === undefined ? '' : tenantText(after);
        const rows =
          before === undefined ? tenantsAfter.all<Log>(from, limit) : dueAfter(from, limit, before);
        return rows.map(({ tenant, last_position }) => {
          return { tenant: tenantOf(tenant), end: String(last_position) };
        });
      });
    },
  };
}

/**
 * The most due records that are read to find tenants; if there are more, each tenant is searched.
 */
const manyDue = 1_000;

/** The tenants of due records, once for each record. Parameters: the time, for each table. */
function dueIn(which: 'all' | 'limit'): string {
  const selects = dueTables.map((table) => {
    const name = nameOf(table);
    const rows = `select tenant from ${name} indexed by ${name}_of_all_by_due_at where due_at <= ?`;
    return which === 'all' ? rows : `select tenant from (${rows} limit ?)`;
  });
  return selects.join(' union all ');
}

function hasDue(table: Table): string {
  return `exists (select 1 from ${nameOf(table)} d indexed by ${indexOf(table, ['due_at'])}
    where d.tenant = t.tenant and d.due_at <= ?)`;
}

/**
 * One deal with its parts as one text: a single statement sees one state of the database. The texts
 * of the records are joined as texts, so that SQLite parses none of them again.
 */
function selectDeal(parts: readonly DealPart[]): string {
  const members = parts.map((part) => {
    const table = tables[part];
    const { parent = '', key } = table;
    // the primary key has them in order too, but would scan those of every other deal
    const rows = `select ${storedJson(part, 'p')} as json
      from ${nameOf(table)} p indexed by ${indexOf(table, [parent, key])}
      where p.tenant = d.tenant and p.${parent} = d.${tables.deal.key} order by p.${key}`;
    return ` || ',"${part}":[' ||
      (select coalesce(group_concat(json, ','), '') from (${rows})) || ']'`;
  });
  return `select '{"deal":' || ${storedJson('deal', 'd')}${members.join('')} || '}' as json
    from ${nameOf(tables.deal)} d`;
}

/** The records of a kind whose time has come, the longest overdue first. */
function selectDue(kind: TimedKind): string {
  const table = tables[kind];
  return `select ${storedJson(kind, 't')} as json
    from ${nameOf(table)} t indexed by ${indexOf(table, [...table.dueUnder, 'due_at'])}
    where t.tenant = ? ${table.dueUnder.map((name) => `and t.${name} = ?`).join(' ')}
      and t.due_at <= ? order by t.due_at, t.${table.key} limit ?`;
}

function selectByKey(kind: ListedKind): string {
  const table = tables[kind];
  return `select ${storedJson(kind, 't')} as json from ${nameOf(table)} t where ${byKey(table)}`;
}

/** The records of a range of an index, each with its tenant. */
function selectByIndex(owner: IndexOwner, kind: RecordKind, range: IndexRange): string {
  const { index, members, where, order } = indexQuery(owner, kind, range, () => '?');
  const name = nameOf(tables[kind]);
  return `select json_array(t.tenant, ${jsonOf('t', members)}) as json
    from ${name} t indexed by ${name}_${index} where ${where} order by ${order} limit ?`;
}

/** The records of a range, in the order of an index, from the start of the range. */
function selectRange(
  kind: ListedKind,
  tenant: string,
  { under, direction, after, limit }: RecordRange,
): { readonly sql: string; readonly values: readonly SqliteValue[] } {
  const table = tables[kind];
  const { key, parent } = table;
  const [sign, way] = direction === 'ascending' ? ['>', 'asc'] : ['<', 'desc'];
  const isUnder = parent !== undefined && under !== undefined;
  return {
    // the primary key would scan the records under every other record
    sql: `select ${storedJson(kind, 't')} as json from ${nameOf(table)} t
      ${isUnder ? `indexed by ${indexOf(table, [parent, key])}` : ''}
      where t.tenant = ? ${isUnder ? `and t.${parent} = ?` : ''}
      ${after === undefined ? '' : `and t.${key} ${sign} ?`} order by t.${key} ${way} limit ?`,
    values: [tenant, ...(isUnder ? [under] : []), ...(after === undefined ? [] : [after]), limit],
  };
}
