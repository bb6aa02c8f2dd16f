import {
  type AnyRow,
  type CommitOutcome,
  judge,
  type RecordKind,
  shapeOf,
  type Tenant,
  type Value,
  type WriteSet,
} from 'dealwright/ports';
import { countKey, type Entry, entriesOf, eventKey, recordKey, tenantKey } from './entries.js';
import type { KeyValueLike, KeyValueOperation } from './key-value-like.js';

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
  const added = countAdded(tenant, write);
  await Promise.all([...askedKeys(tenant, write), ...added.keys()].map(load));
  const find = (kind: RecordKind, key: Value) =>
    (stored.get(recordKey(tenant, kind, key)) as Entry | undefined)?.row;
  const count = (key: string) => Number(stored.get(key) ?? 0);
  const judged = judge(write, {
    find,
    count: (kind, under) => count(countKey(tenant, kind, under)),
  });
  if (judged.outcome !== 'holds') return judged;

  const { events, subject } = write;
  const puts = new Map<string, unknown>();
  const deletions = new Set<string>();
  for (const [at, { kind, row }] of rowsAfter(tenant, write, find)) {
    const before = stored.get(at) as Entry | undefined;
    for (const key of before ? entriesOf(tenant, before).keys() : []) deletions.add(key);
    for (const [key, value] of entriesOf(tenant, { kind, row })) puts.set(key, value);
  }
  for (const [key, more] of added) puts.set(key, count(key) + more);
  const own = tenantKey(tenant);
  const position = (stored.get(own) as TenantEntry | undefined)?.events ?? 0;
  const sequence = Number(subject ? (find(subject.kind, subject.key)?.['version'] ?? 0) : 0);
  for (const [at, event] of events.entries()) {
    const row = { ...event, sequence: sequence + at + 1 };
    puts.set(eventKey(tenant, position + at + 1), row);
  }
  puts.set(own, { ...tenant, events: position + events.length });
  return [
    ...[...deletions].filter((key) => !puts.has(key)).map((key) => ({ type: 'del', key }) as const),
    ...[...puts].map(
      ([key, value]) => ({ type: 'put', key, value: JSON.stringify(value) }) as const,
    ),
  ];
}

/** The entries that a write is judged and made by. */
function askedKeys(tenant: Tenant, { expect, change, subject }: WriteSet): Set<string> {
  const keys = new Set([tenantKey(tenant)]);
  for (const each of expect) {
    if ('fewer' in each) keys.add(countKey(tenant, each.fewer, each.under));
    else keys.add(recordKey(tenant, 'absent' in each ? each.absent : each.present, each.key));
  }
  for (const { kind, key } of [...change, ...(subject ? [subject] : [])]) {
    keys.add(recordKey(tenant, kind, key));
  }
  return keys;
}

/** How many records a write adds under others, by the keys of the counts. */
function countAdded(tenant: Tenant, { insert }: WriteSet): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, row } of insert) {
    const { under } = shapeOf(kind);
    if (under === undefined) continue;
    const key = countKey(tenant, kind, (row as AnyRow)[under.by] as Value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The records that a write inserts or changes as they are after it, by their keys. */
function rowsAfter(
  tenant: Tenant,
  { attempt, insert, change, subject, events }: WriteSet,
  find: (kind: RecordKind, key: Value) => AnyRow | undefined,
): Map<string, Entry> {
  const rows = new Map<string, Entry>();
  const put = (kind: RecordKind, key: Value, set: AnyRow) => {
    const at = recordKey(tenant, kind, key);
    rows.set(at, { kind, row: { ...(rows.get(at)?.row ?? find(kind, key)), ...set } });
  };
  for (const { kind, row } of insert) {
    const { key, isSubject } = shapeOf(kind);
    const own = isSubject ? { attempt, version: events.length } : { attempt };
    put(kind, (row as AnyRow)[key] as Value, { ...row, ...own });
  }
  const known = subject && find(subject.kind, subject.key);
  if (subject !== undefined && known !== undefined) {
    put(subject.kind, subject.key, { version: Number(known['version']) + events.length });
  }
  for (const { kind, key, set } of change) put(kind, key, set);
  return rows;
}
