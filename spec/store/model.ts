import {
  type DealFilter,
  type ListedDeal,
  listedFields,
} from '../../src/domain/deals/deal-list.js';
import {
  type AnyRow,
  type DealPart,
  dealParts,
  type ListedKind,
  type RecordKind,
  type Stored,
  shapeOf,
  type TimedKind,
} from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { type JudgedStore, judge } from '../../src/ports/judge.js';
import type { DealRange, RecordRange } from '../../src/ports/store.js';
import type { CommitOutcome, WriteSet } from '../../src/ports/write-set.js';
import { recordKinds } from './rows.js';

type Key = string | number;

/** A store in its shortest form: maps of rows that are never changed. */
export interface Model {
  commit(tenant: Tenant, write: WriteSet): CommitOutcome;
  /** Makes a write whose expectations hold. */
  apply(tenant: Tenant, write: WriteSet): void;
  /** The records that a tenant sees. */
  of(tenant: Tenant): JudgedStore;
  /** All records of a kind that a tenant sees. */
  rows(tenant: Tenant, kind: RecordKind): readonly AnyRow[];
  /** A deal with all its parts. */
  deal(tenant: Tenant, partner_id: Key): AnyDeal | undefined;
  /** The `partner_id` of the deal that has this payment token. */
  tokenHolder(tenant: Tenant, payment_token: string): string | undefined;
  /** The records of a range, in the order of their keys. */
  records(tenant: Tenant, kind: ListedKind, range: RecordRange): readonly AnyRow[];
  /** The records of a kind whose time has come, the longest overdue first. */
  due(
    tenant: Tenant,
    kind: TimedKind,
    before: string,
    limit: number,
    under?: string,
  ): readonly AnyRow[];
  /** All deals of a tenant that pass the filter, the newest first. */
  list(tenant: Tenant, filter: DealFilter): readonly ListedDeal[];
  events(tenant: Tenant): readonly Stored<'event'>[];
  /** The events of a subject in the log of a tenant. */
  eventsOf(
    tenant: Tenant,
    subject: string,
    sequence: number,
    limit: number,
  ): readonly Stored<'event'>[];
  /** All names of its writes, committed or refused. */
  readonly named: Named;
  /** Adds the names of a write. */
  note(tenant: Tenant, write: WriteSet): void;
}

/** The tenants of writes, and the keys and integers that they name. */
export interface Named {
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly keys: Readonly<Record<RecordKind, ReadonlySet<Key>>>;
  readonly ids: ReadonlySet<number>;
  /** The payment tokens of deals. */
  readonly tokens: ReadonlySet<string>;
}

type AnyDeal = { readonly deal: AnyRow } & { readonly [K in DealPart]?: readonly AnyRow[] };

/** An empty model. */
export function createModel(): Model {
  const tables = new Map<string, Map<Key, AnyRow>>();
  const siblings = new Map<Map<Key, AnyRow>, Map<Key, Key[]>>();
  const logs = new Map<string, Stored<'event'>[]>();
  const tenants = new Map<string, Tenant>();
  const ids = new Set<number>();
  const tokens = new Set<string>();
  const keys = Object.fromEntries(recordKinds.map((kind) => [kind, new Set<Key>()])) as Record<
    RecordKind,
    Set<Key>
  >;

  const tableOf = ({ environment, partner }: Tenant, kind: RecordKind) => {
    const name = JSON.stringify([kind, environment, shapeOf(kind).of === 'tenant' ? partner : '']);
    const table = tables.get(name) ?? new Map<Key, AnyRow>();
    tables.set(name, table);
    return table;
  };
  const logOf = ({ environment, partner }: Tenant) => {
    const name = JSON.stringify([environment, partner]);
    const log = logs.get(name) ?? [];
    logs.set(name, log);
    return log;
  };
  const rowsUnder = (tenant: Tenant, kind: RecordKind, key: Key) => {
    const { key: own } = shapeOf(kind);
    const table = tableOf(tenant, kind);
    const rows = (siblings.get(table)?.get(key) ?? []).map((each) => table.get(each) as AnyRow);
    return rows.sort((a, b) => ((a[own] ?? 0) < (b[own] ?? 0) ? -1 : 1));
  };
  const note = (tenant: Tenant, { expect, insert }: WriteSet) => {
    tenants.set(JSON.stringify([tenant.environment, tenant.partner]), tenant);
    for (const each of expect) {
      if ('absent' in each) keys[each.absent].add(each.key);
      if ('present' in each) keys[each.present].add(each.key);
    }
    for (const { kind, row } of insert) {
      keys[kind].add((row as AnyRow)[shapeOf(kind).key] as Key);
      if (kind !== 'deal') continue;
      ids.add(row.id);
      if (row.payment_token !== null) tokens.add(row.payment_token);
    }
  };
  const model: Model = {
    named: { tenants, keys, ids, tokens },
    note,
    commit(tenant, write) {
      note(tenant, write);
      const judged = judge(write, model.of(tenant));
      if (judged.outcome !== 'holds') return judged;
      model.apply(tenant, write);
      return { outcome: 'committed' };
    },
    apply(tenant, { attempt, insert, change, subject, events }) {
      for (const { kind, row } of insert) {
        const { key, isSubject, under } = shapeOf(kind);
        const given: AnyRow = row;
        const stored = { ...given, attempt, ...(isSubject && { version: 0 }) };
        const table = tableOf(tenant, kind);
        table.set(given[key] as Key, stored);
        if (under === undefined) continue;
        const own = siblings.get(table) ?? new Map<Key, Key[]>();
        siblings.set(table, own);
        const parent = given[under.by] as Key;
        own.set(parent, [...(own.get(parent) ?? []), given[key] as Key]);
      }
      for (const { kind, key, set } of change) {
        const table = tableOf(tenant, kind);
        table.set(key, { ...table.get(key), ...set });
      }
      if (subject === undefined) return;
      const table = tableOf(tenant, subject.kind);
      const row = table.get(subject.key);
      const version = Number(row?.['version']);
      table.set(subject.key, { ...row, version: version + events.length });
      for (const [at, event] of events.entries()) {
        logOf(tenant).push({ ...event, sequence: version + at + 1 });
      }
    },
    of: (tenant) => ({
      find: (kind, key) => tableOf(tenant, kind).get(key),
      count: (kind, under, where) => {
        const all = under === undefined ? model.rows(tenant, kind) : rowsUnder(tenant, kind, under);
        const isAsked = (row: AnyRow) =>
          Object.entries(where).every(([field, allowed]) => allowed.includes(row[field] ?? null));
        return all.filter(isAsked).length;
      },
    }),
    rows: (tenant, kind) => [...tableOf(tenant, kind).values()],
    deal(tenant, partner_id) {
      const deal = tableOf(tenant, 'deal').get(partner_id);
      if (deal === undefined) return undefined;
      const parts = dealParts.map((kind) => [kind, rowsUnder(tenant, kind, partner_id)]);
      return { deal, ...Object.fromEntries(parts) };
    },
    tokenHolder(tenant, payment_token) {
      const deals = [...tableOf(tenant, 'deal').values()];
      const held = deals.find((row) => row['payment_token'] === payment_token);
      return held && String(held['partner_id']);
    },
    records(tenant, kind, { under, direction, after, limit }) {
      const { key, under: parent } = shapeOf(kind);
      const placeOf = (row: AnyRow) => sortable(String(row[key]));
      const isBeyond = (row: AnyRow) =>
        after === undefined ||
        (direction === 'ascending'
          ? placeOf(row) > sortable(after)
          : placeOf(row) < sortable(after));
      const all = [...tableOf(tenant, kind).values()]
        .filter((row) => under === undefined || parent === undefined || row[parent.by] === under)
        .filter(isBeyond)
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
      return (direction === 'ascending' ? all : all.reverse()).slice(0, limit);
    },
    due(tenant, kind, before, limit, above) {
      const { under } = shapeOf(kind);
      const placeOf = ({ due_at = null, [shapeOf(kind).key]: key = null }: AnyRow) =>
        `${sortable(String(due_at))} ${sortable(String(key))}`;
      return [...tableOf(tenant, kind).values()]
        .filter((row) => row['due_at'] !== null)
        .filter((row) => above === undefined || row[under?.by ?? ''] === above)
        .filter((row) => sortable(String(row['due_at'])) <= sortable(before))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .slice(0, limit);
    },
    list: (tenant, filter) =>
      [...tableOf(tenant, 'deal').values()]
        .filter((row) => isLetThrough(filter, row))
        .map((row) => {
          const members = [...listedFields, 'attempt'].map((field) => [field, row[field]]);
          return Object.fromEntries(members) as ListedDeal;
        })
        .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)),
    events: logOf,
    eventsOf: (tenant, subject, sequence, limit) =>
      logOf(tenant)
        .filter((event) => event.subject === subject && event.sequence > sequence)
        .slice(0, limit),
  };
  return model;
}

/** A text that JavaScript compares as databases compare the given one: by code point. */
function sortable(text: string): string {
  const pointOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16);
  return Array.from(text, (character) => pointOf(character).padStart(6, '0')).join('');
}

/** A separate implementation: a store may use `passes` of the port. */
function isLetThrough(filter: DealFilter, row: AnyRow): boolean {
  const created_at = String(row['created_at']);
  return Object.entries(filter).every(([name, value]) => {
    if (name === 'created_from') return created_at >= value;
    return name === 'created_to' ? created_at < value : row[name] === value;
  });
}

const placeOf = ({ created_at, attempt }: Pick<ListedDeal, 'created_at' | 'attempt'>) =>
  created_at + attempt;

/** A range of a list that is newest first. */
export function rangeOf(
  listed: readonly ListedDeal[],
  { direction, from, limit }: DealRange,
): readonly ListedDeal[] {
  const edge = from && placeOf(from);
  if (direction === 'older') {
    return listed.filter((each) => edge === undefined || placeOf(each) < edge).slice(0, limit);
  }
  return listed.filter((each) => edge === undefined || placeOf(each) > edge).slice(-limit);
}
