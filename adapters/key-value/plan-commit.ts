import {
  type AnyRow,
  type CommitOutcome,
  type CountReference,
  fits,
  type JudgedStore,
  judge,
  type RecordKind,
  type RecordReference,
  referencesOf,
  shapeOf,
  type Tenant,
  type WriteSet,
} from 'dealwright/ports';
import {
  type Entry,
  endOf,
  entriesOf,
  entryKey,
  keyOf,
  recordsKey,
  subjectIndex,
  tenantKey,
} from './entries.js';
import { type KeyValueLike, type KeyValueOperation, readRange } from './key-value-like.js';

/** The entry of a tenant itself: `events` is the position of the last event in its log. */
export type TenantEntry = Tenant & { readonly events: number };

/** The outcome of a write, or the batch that makes it, if no other write runs. */
export async function planCommit(
  kv: KeyValueLike,
  tenant: Tenant,
  write: WriteSet,
): Promise<CommitOutcome | readonly KeyValueOperation[]> {
  const load = async <T>(key: string): Promise<T | undefined> => {
    const value = await kv.get(key);
    return value === undefined ? undefined : (JSON.parse(value) as T);
  };
  const loadRow = async ({ kind, key }: RecordReference) =>
    (await load<Entry>(entryKey('record', tenant, kind, key)))?.row;
  const own = tenantKey(tenant);
  const { records, counts, found } = referencesOf(write);
  const [rows, sizes, known, children] = await Promise.all([
    Promise.all(records.map(loadRow)),
    Promise.all(counts.map((each) => countOf(kv, tenant, each))),
    load<TenantEntry>(own),
    Promise.all(
      parentsOf(tenant, write).map(async (key) => [key, await load<number>(key)] as const),
    ),
  ]);
  const stored = found(rows, sizes);
  const judged = judge(write, stored);
  if (judged.outcome !== 'holds') return judged;

  const { find } = stored;
  const { events, subject } = write;
  /** By key; without a value if they are deleted. */
  const entries = new Map<string, unknown>();
  for (const { kind, row } of rowsAfter(write, find)) {
    const before = find(kind, row[shapeOf(kind).key] ?? '');
    const last = before ? entriesOf(tenant, { kind, row: before }) : new Map();
    for (const key of last.keys()) entries.set(key, undefined);
    for (const [key, value] of entriesOf(tenant, { kind, row })) entries.set(key, value);
  }
  for (const [key, count = 0] of children) entries.set(key, Number(entries.get(key) ?? count) + 1);
  const position = known?.events ?? 0;
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

/** The number of records that an expectation counts. */
async function countOf(
  kv: KeyValueLike,
  tenant: Tenant,
  { kind, under, where, than }: CountReference,
): Promise<number> {
  if (under !== undefined) {
    const all = Number((await kv.get(entryKey('count', tenant, kind, under))) ?? 0);
    // if all are few enough, those with certain values are too: they need not be read
    if (Object.keys(where).length === 0 || all < than) return all;
  }
  const gte = recordsKey(tenant, kind, under);
  // the records under a record come after it, in the range of its kind
  const isCounted = (entry: Entry) => entry.kind === kind && fits(entry.row, where);
  const found = await readRange<Entry>(kv, { gte, lt: endOf(gte) }, undefined, isCounted);
  return found.length;
}

/** The keys of the counts under the parents of the records that a write inserts. */
function parentsOf(tenant: Tenant, { insert }: WriteSet): readonly string[] {
  return insert.flatMap(({ kind, row }) => {
    const { under } = shapeOf(kind);
    return under ? entryKey('count', tenant, kind, (row as AnyRow)[under.by] ?? null) : [];
  });
}

/** The records that a write inserts or changes as they are after it. */
function rowsAfter(
  { attempt, insert, change, subject, events }: WriteSet,
  find: JudgedStore['find'],
): Iterable<Entry & { readonly kind: RecordKind }> {
  const rows = new Map<string, Entry & { readonly kind: RecordKind }>();
  const put = (kind: RecordKind, key: string | number, set: AnyRow) => {
    const at = keyOf(kind, key);
    rows.set(at, { kind, row: { ...(rows.get(at)?.row ?? find(kind, key)), ...set } });
  };
  for (const { kind, row } of insert) {
    const { key, isSubject } = shapeOf(kind);
    const own = isSubject ? { attempt, version: events.length } : { attempt };
    put(kind, (row as AnyRow)[key] ?? '', { ...row, ...own });
  }
  const known = subject && find(subject.kind, subject.key);
  if (known) put(subject.kind, subject.key, { version: Number(known['version']) + events.length });
  for (const { kind, key, set } of change) put(kind, key, set);
  return rows.values();
}
