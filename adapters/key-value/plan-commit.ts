import {
  type AnyRow,
  type CommitOutcome,
  type Expectation,
  fits,
  judge,
  type RecordKind,
  shapeOf,
  type Tenant,
  type Value,
  type WriteSet,
} from 'dealwright/ports';
import { type Entry, entriesOf, entryKey, recordsKey, subjectIndex, tenantKey } from './entries.js';
import { type KeyValueLike, type KeyValueOperation, readRange } from './key-value-like.js';
import { endOf } from './keys.js';

/** What is stored of a tenant itself: `events` is the position of the last event in its log. */
export type TenantEntry = Tenant & { readonly events: number };

/** What becomes of a write, or the batch that makes it, while nobody else writes. */
export async function planCommit(
  kv: KeyValueLike,
  tenant: Tenant,
  write: WriteSet,
): Promise<CommitOutcome | readonly KeyValueOperation[]> {
  const stored = new Map<string, unknown>();
  const load = async (key: string) => {
    const value = await kv.get(key);
    if (value !== undefined) stored.set(key, JSON.parse(value));
  };
  await Promise.all([...askedKeys(tenant, write)].map(load));
  const find = (kind: RecordKind, key: Value) =>
    (stored.get(entryKey('record', tenant, kind, key)) as Entry | undefined)?.row;
  const counts = new Map<Expectation, number>();
  for (const each of write.expect) {
    if ('fewer' in each) counts.set(each, await countOf(kv, tenant, each));
  }
  // each expectation is counted before, and judged once
  const inOrder = counts.values();
  const judged = judge(write, { find, count: () => inOrder.next().value ?? 0 });
  if (judged.outcome !== 'holds') return judged;

  const { events, subject } = write;
  /** By their keys; without a value where they are deleted. */
  const entries = new Map<string, unknown>();
  for (const [at, entry] of rowsAfter(tenant, write, find)) {
    const before = stored.get(at) as Entry | undefined;
    for (const key of before ? entriesOf(tenant, before).keys() : []) entries.set(key, undefined);
    for (const [key, value] of entriesOf(tenant, entry)) entries.set(key, value);
  }
  for (const key of parentsOf(tenant, write)) {
    entries.set(key, Number(entries.get(key) ?? stored.get(key) ?? 0) + 1);
  }
  const own = tenantKey(tenant);
  const position = (stored.get(own) as TenantEntry | undefined)?.events ?? 0;
  const sequence = Number(subject ? (find(subject.kind, subject.key)?.['version'] ?? 0) : 0);
  for (const [at, event] of events.entries()) {
    const row = { ...event, sequence: sequence + at + 1 };
    entries.set(entryKey('event', tenant, 'event', position + at + 1), row);
    const ofSubject = [subjectIndex, row.subject, row.sequence];
    entries.set(entryKey('index', tenant, 'event', ...ofSubject), row);
  }
  entries.set(own, { ...tenant, events: position + events.length });
  return [...entries].map(([key, value]) =>
    value === undefined ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(value) },
  );
}

/** How many records an expectation asks about. */
async function countOf(
  kv: KeyValueLike,
  tenant: Tenant,
  { fewer, under, where = {} }: Extract<Expectation, { readonly fewer: RecordKind }>,
): Promise<number> {
  if (under !== undefined && Object.keys(where).length === 0) {
    return Number((await kv.get(entryKey('count', tenant, fewer, under))) ?? 0);
  }
  const gte = recordsKey(tenant, fewer, under);
  // what is read with a record comes after it, in the range of its kind
  const isCounted = ({ kind, row }: Entry) => kind === fewer && fits(row, where);
  const found = await readRange<Entry>(kv, { gte, lt: endOf(gte) }, undefined, isCounted);
  return found.length;
}

/** The entries that a write is judged and made by. */
function askedKeys(tenant: Tenant, write: WriteSet): Set<string> {
  const { expect, change, subject } = write;
  const keys = new Set([tenantKey(tenant), ...parentsOf(tenant, write)]);
  for (const each of expect) {
    if ('fewer' in each) continue;
    const kind = 'absent' in each ? each.absent : each.present;
    keys.add(entryKey('record', tenant, kind, each.key));
  }
  for (const { kind, key } of [...change, ...(subject ? [subject] : [])]) {
    keys.add(entryKey('record', tenant, kind, key));
  }
  return keys;
}

/** Where it is counted what is under the parent of each record that a write inserts. */
function parentsOf(tenant: Tenant, { insert }: WriteSet): readonly string[] {
  return insert.flatMap(({ kind, row }) => {
    const { under } = shapeOf(kind);
    return under ? entryKey('count', tenant, kind, (row as AnyRow)[under.by] ?? null) : [];
  });
}

/** The records that a write inserts or changes as they are after it, by their keys. */
function rowsAfter(
  tenant: Tenant,
  { attempt, insert, change, subject, events }: WriteSet,
  find: (kind: RecordKind, key: Value) => AnyRow | undefined,
): Map<string, Entry> {
  const rows = new Map<string, Entry>();
  const put = (kind: RecordKind, key: Value, set: AnyRow) => {
    const at = entryKey('record', tenant, kind, key);
    rows.set(at, { kind, row: { ...(rows.get(at)?.row ?? find(kind, key)), ...set } });
  };
  for (const { kind, row } of insert) {
    const { key, isSubject } = shapeOf(kind);
    const own = isSubject ? { attempt, version: events.length } : { attempt };
    put(kind, (row as AnyRow)[key] as Value, { ...row, ...own });
  }
  const known = subject && find(subject.kind, subject.key);
  if (known) put(subject.kind, subject.key, { version: Number(known['version']) + events.length });
  for (const { kind, key, set } of change) put(kind, key, set);
  return rows;
}
