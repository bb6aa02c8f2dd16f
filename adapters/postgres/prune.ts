import { type EndingKind, type Kind, records, type Store, shapeOf } from 'dealwright/ports';
import { tables } from '../sql/tables.js';
import { type SendOnce, sendUntil } from './send.js';
import { type KnownStatements, quoted, type Statement, statement } from './statement.js';

/** Deletes what has ended, a batch at a time. */
export function createPrune(
  send: SendOnce,
  schema: string,
  known: KnownStatements,
): NonNullable<Store['prune']> {
  return (kind, before, limit) => {
    const made = known(`prune ${kind}`, () => pruneStatement(schema, kind));
    return sendUntil(
      async (retries) =>
        (await send(made, [before, limit], 1, retries)).map(([count]) => Number(count)),
      'read',
    );
  };
}

/**
 * Ended records are found by the index of ends. The logs of their tenants are locked first, as each
 * write locks its own: a write that has found a record finds it until it is made, and one that has
 * used a key again meanwhile keeps it.
 */
export function pruneStatement(schema: string, kind: EndingKind): Statement {
  const s = quoted(schema);
  const table = tables[kind];
  const { key } = table;
  const { ends, under } = shapeOf(kind);
  const above = ends === 'parent' && under !== undefined ? tables[under.kind as Kind] : undefined;
  const children = (Object.keys(records) as Kind[]).filter(
    (each) => shapeOf(each).under?.kind === kind,
  );
  const isEmpty = children.map(
    (child) => `and not exists (select 1 from ${s}.${tables[child].name} c
      where c.tenant = t.tenant and c.${tables[child].parent} = t.${key})`,
  );
  const ended =
    above === undefined
      ? `${s}.${table.name} t where t.ends_at <= $1 ${isEmpty.join(' ')} order by t.ends_at`
      : `(select p.tenant, p.${above.key} as key from ${s}.${above.name} p where p.ends_at <= $1
          order by p.ends_at) e cross join lateral (select c.tenant, c.${key} from ${s}.${table.name} c
          where c.tenant = e.tenant and c.${table.parent} = e.key limit $2) t`;
  const text = `with ended as materialized (
      select t.tenant, t.${key} as key from ${ended} limit $2
    ), locked as materialized (
      select l.tenant from ${s}.tenants l where l.tenant in (select tenant from ended)
      order by l.tenant for update
    ), gone as (
      delete from ${s}.${table.name} d using ended, locked
      where d.tenant = locked.tenant and d.tenant = ended.tenant and d.${key} = ended.key
        ${above === undefined ? 'and d.ends_at <= $1' : ''} returning 1
    ) select count(*)::text as answer from gone`;
  return statement('prune', ` ${kind}`, text);
}
