import {
  type AnyRow,
  type CommitOutcome,
  type JudgedStore,
  judge,
  type Store,
  shapeOf,
  type WriteSet,
} from 'dealwright/ports';
import { recordKinds, tables } from '../sql/tables.js';
import { type TenantNames, tenantNames } from '../sql/tenant.js';
import type { Batch } from './batch.js';
import type { Connection } from './connection.js';
import type { Prepare } from './sqlite-like.js';
import { byKey, nameOf } from './statements.js';

/** The one write of a store. */
export function createCommit(prepare: Prepare, { write }: Connection): Store['commit'] {
  const judgedBy = createLookUps(prepare);
  return (tenant, set) => {
    const names = tenantNames(tenant);
    return write<CommitOutcome>({
      name: 'commit',
      apply(batch) {
        const judged = judge(set, judgedBy(names));
        if (judged.outcome !== 'holds') return judged;
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
  // each member by its name: V8 takes ten times as long to copy an object and add members
  const { environment, tenant } = names;
  const added = { environment, tenant, attempt, version: events.length };
  for (const { kind, row } of insert) batch.insert(kind, row, added);
  for (const { kind, key, set } of change) batch.change(kind, names, key, set);
  batch.append(names, events, version + 1);
}

/** The condition that a field has one of the values of a JSON list, which may contain `null`. */
const isAmong = (field: string) =>
  `exists (select 1 from json_each(?) where json_each.value is ${field})`;

/** Looks up the records that the writes of a tenant are judged by. */
function createLookUps(prepare: Prepare): (names: TenantNames) => JudgedStore {
  const statements = recordKinds.map((kind) => {
    const first = kind === 'answer' ? ['fingerprint', 'answer'] : [];
    const asked = [...first, ...shapeOf(kind).conditions];
    const table = tables[kind];
    const sql = `select ${['attempt', ...asked].map((name) => `${name} as ${name}`).join(', ')} from ${nameOf(table)} where ${byKey(table)}`;
    return [kind, prepare(sql)] as const;
  });
  const finds = new Map(statements);
  return (names) => ({
    find: (kind, key) => finds.get(kind)?.get<AnyRow>(names[tables[kind].owner], key),
    count(kind, under, where) {
      const { owner, parent } = tables[kind];
      const asked = Object.entries(where);
      const isIn = asked.map(([field]) => `and ${isAmong(field)}`);
      const counted = prepare(
        `select count(*) as count from ${nameOf(tables[kind])}
        where ${owner} = ? ${under === undefined ? '' : `and ${parent} = ?`} ${isIn.join(' ')}`,
      ).get<{ count: number }>(
        names[owner],
        ...(under === undefined ? [] : [under]),
        ...asked.map(([, allowed]) => JSON.stringify(allowed)),
      );
      return counted?.count ?? 0;
    },
  });
}
