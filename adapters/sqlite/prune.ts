import { type EndingKind, type Kind, records, type Store, shapeOf } from 'dealwright/ports';
import { tables } from '../sql/tables.js';
import type { Connection } from './connection.js';
import type { Prepare } from './sqlite-like.js';
import { nameOf } from './statements.js';

/** Deletes expired records, a batch at a time. */
export function createPrune(prepare: Prepare, { write }: Connection): NonNullable<Store['prune']> {
  return (kind, before, limit) =>
    write<number>({
      name: 'prune',
      apply: () => prepare(deleteEnded(kind)).all(before, limit).length,
    });
}

/** Deletes expired records, found by the index of ends of all tenants. */
export function deleteEnded(kind: EndingKind): string {
  const table = tables[kind];
  const { ends, under } = shapeOf(kind);
  const names = ['tenant', table.key].map((name) => `t.${name}`).join(', ');
  const above = ends === 'parent' && under !== undefined ? tables[under.kind as Kind] : undefined;
  const indexed = `indexed by ${nameOf(above ?? table)}_of_all_by_ends_at`;
  const from =
    above === undefined
      ? `${nameOf(table)} t ${indexed} where t.ends_at <= ? ${childrenOf(kind).map(isEmpty).join(' ')}
        order by t.ends_at`
      : `${nameOf(above)} p ${indexed} cross join ${nameOf(table)} t
        on t.tenant = p.tenant and t.${table.parent} = p.${above.key} where p.ends_at <= ?`;
  return `delete from ${nameOf(table)} where (tenant, ${table.key}) in
    (select ${names} from ${from} limit ?) returning 1`;

  function isEmpty(child: Kind): string {
    const { parent } = tables[child];
    return `and not exists (select 1 from ${nameOf(tables[child])} c
      where c.tenant = t.tenant and c.${parent} = t.${table.key})`;
  }
}

/** The kinds whose records are under one of this kind. */
function childrenOf(kind: Kind): readonly Kind[] {
  return (Object.keys(records) as Kind[]).filter((each) => shapeOf(each).under?.kind === kind);
}
