import {
  type AnyRow,
  type CommitOutcome,
  type Expectation,
  type Store,
  shapeOf,
  type Value,
  type WriteSet,
} from 'dealwright/ports';
import { tables } from '../sql/tables.js';
import { type TenantNames, tenantNames } from '../sql/tenant.js';
import type { Batch } from './batch.js';
import type { Connection } from './connection.js';
import type { Prepare } from './sqlite-like.js';
import { byKey, nameOf } from './statements.js';

/** The one write of a store. */
export function createCommit(prepare: Prepare, { write }: Connection): Store['commit'] {
  return (tenant, set) => {
    const names = tenantNames(tenant);
    return write<CommitOutcome>({
      name: 'commit',
      apply(batch) {
        const refusal = judge(prepare, names, set);
        if (refusal !== undefined) return refusal;
        make(batch, names, set);
        return { outcome: 'committed' };
      },
    });
  };
}

/** Makes a write whose expectations hold. */
function make(
  batch: Batch,
  names: TenantNames,
  { attempt, insert, change, subject, events }: WriteSet,
): void {
  const isNew = insert.some(
    ({ kind, row }) => kind === subject?.kind && (row as AnyRow)[shapeOf(kind).key] === subject.key,
  );
  const version =
    subject === undefined || isNew
      ? 0
      : batch.moveOn(subject.kind, names, subject.key, events.length);
  // each member by its name: V8 takes ten times as long to copy an object and add to it
  const { environment, tenant } = names;
  const added = { environment, tenant, attempt, version: events.length };
  for (const { kind, row } of insert) batch.insert(kind, row, added);
  for (const { kind, key, set } of change) batch.change(kind, names, key, set);
  batch.append(names, events, version + 1);
}

/** Judges all expectations by one statement: the answer where a write is not to be made. */
function judge(
  prepare: Prepare,
  names: TenantNames,
  { attempt, expect }: WriteSet,
): CommitOutcome | undefined {
  if (expect.length === 0) return undefined;
  const values: Value[] = [];
  const clauses = expect.map((each, index) => `${failing(names, each, values)} then ${index}`);
  const row = prepare(`select case ${clauses.join(' ')} end as refused`).get<{
    refused: number | null;
  }>(...values);
  const expectation = row?.refused ?? undefined;
  if (expectation === undefined) return undefined;
  const refused = { outcome: 'refused', expectation } as const;
  const expected = expect[expectation] as Expectation;
  if (!('absent' in expected)) return refused;
  const { absent: kind, key } = expected;
  const table = tables[kind];
  const columns = kind === 'answer' ? 'attempt, fingerprint, answer' : 'attempt';
  const found = prepare(`select ${columns} from ${nameOf(table)} where ${byKey(table)}`).get<{
    attempt: string;
    fingerprint: string;
    answer: string;
  }>(names[table.owner], key);
  if (found?.attempt === attempt) return { outcome: 'committed' };
  if (found === undefined || kind !== 'answer') return refused;
  const { fingerprint, answer } = found;
  return { ...refused, first: { fingerprint, answer } };
}

/** The condition under which an expectation does not hold; its values join the others. */
function failing(names: TenantNames, expected: Expectation, values: Value[]): string {
  if ('fewer' in expected) {
    const { fewer: kind, under, than } = expected;
    const table = tables[kind];
    values.push(names[table.owner], under, than, than);
    return `when (select count(*) from (select 1 from ${nameOf(table)}
      where ${table.owner} = ? and ${table.parent} = ? limit ?)) >= ?`;
  }
  const kind = 'absent' in expected ? expected.absent : expected.present;
  const table = tables[kind];
  values.push(names[table.owner], expected.key);
  const found = `exists (select 1 from ${nameOf(table)} where ${byKey(table)}`;
  if ('absent' in expected) return `when ${found})`;
  const where: Readonly<Record<string, readonly Value[] | undefined>> = expected.where ?? {};
  const asked = shapeOf(kind).conditions.flatMap((field) => {
    const allowed = where[field];
    if (allowed === undefined) return [];
    values.push(...allowed);
    return [`and (${allowed.map(() => `${field} is ?`).join(' or ') || 'false'})`];
  });
  return `when not ${found} ${asked.join(' ')})`;
}
