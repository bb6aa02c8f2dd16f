import {
  type EndingKind,
  type Kind,
  type PortFailure,
  records,
  type Store,
  shapeOf,
} from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { newIdentity } from '../../sql/identity.js';
import { tables } from '../../sql/tables.js';
import { isUnsupported } from '../connection/failures.js';
import {
  type KnownStatements,
  quoted,
  type SendOnce,
  type Statement,
  sendUntil,
  statement,
} from '../connection/send.js';
import type { Reading } from '../read/read-sql.js';

/** Deletes expired records, a batch at a time. */
export function createPrune(
  send: SendOnce,
  { ofAll }: Reading,
  schema: string,
  known: KnownStatements,
): NonNullable<Store['prune']> {
  type Count = Result<number, PortFailure>;
  const run = (made: Statement, ...values: (string | number)[]): Promise<Count> =>
    sendUntil(
      async (retries) => (await send(made, values, 1, retries)).map(([count]) => Number(count)),
      'read',
    );
  /** Tenant by tenant: a cluster locks and deletes on one node at a time. */
  const pruneEach = async (kind: EndingKind, before: string, limit: number): Promise<Count> => {
    const asked = known(`ended ${kind}`, () => endedStatement(schema, kind));
    const made = known(`prune ${kind} of one`, () => pruneStatement(schema, kind, '$3::text'));
    const tenants = await ofAll(asked, [before, limit], (texts) =>
      texts.map((text) => (JSON.parse(text ?? '') as [string])[0]),
    );
    if (tenants.isErr()) return err(tenants.error);
    let count = 0;
    for (const tenant of tenants.value) {
      if (count >= limit) break;
      const gone = await run(made, before, limit - count, tenant);
      if (gone.isErr()) return gone;
      count += gone.value;
    }
    return ok(count);
  };
  let isCluster = false;
  return async (kind, before, limit) => {
    if (!isCluster) {
      const made = known(`prune ${kind}`, () => pruneStatement(schema, kind));
      const gone = await run(made, before, limit);
      isCluster = gone.isErr() && isUnsupported(gone.error.cause);
      if (!isCluster) return gone;
    }
    return pruneEach(kind, before, limit);
  };
}

/**
 * The FROM and WHERE of expired records, by the index of ends: of any tenant, or of the given one.
 */
function endedOf(schema: string, kind: EndingKind, tenant?: string): string {
  const s = quoted(schema);
  const table = tables[kind];
  const above = aboveOf(kind);
  const only = (alias: string) => (tenant === undefined ? '' : `and ${alias}.tenant = ${tenant}`);
  if (above !== undefined) {
    return `(select p.tenant, p.${above.key} as key from ${s}.${above.name} p where p.ends_at <= $1
        ${only('p')} order by p.ends_at) e cross join lateral (select c.tenant, c.${table.key}
        from ${s}.${table.name} c where c.tenant = ${tenant ?? 'e.tenant'}
        and c.${table.parent} = e.key limit $2) t`;
  }
  const children = (Object.keys(records) as Kind[]).filter(
    (each) => shapeOf(each).under?.kind === kind,
  );
  const isEmpty = children.map(
    (child) => `and not exists (select 1 from ${s}.${tables[child].name} c
      where c.tenant = ${tenant ?? 't.tenant'} and c.${tables[child].parent} = t.${table.key})`,
  );
  return `${s}.${table.name} t where t.ends_at <= $1 ${only('t')} ${isEmpty.join(' ')}
    order by t.ends_at`;
}

/** The parent that a record expires with, if not by itself. */
function aboveOf(kind: EndingKind) {
  const { ends, under } = shapeOf(kind);
  return ends === 'parent' && under !== undefined ? tables[under.kind as Kind] : undefined;
}

/** Parameters: the time, limit. The tenants of the records that expired by then, as JSON texts. */
export function endedStatement(schema: string, kind: EndingKind): Statement {
  const text = `select json_build_array(e.tenant)::text as answer
    from (select t.tenant from ${endedOf(schema, kind)} limit $2::bigint) e
    group by e.tenant order by e.tenant`;
  return statement('prune', `_ended_${kind}`, text);
}

/**
 * Expired records are found by the index of ends. The logs of their tenants are locked first, as
 * each write locks its own: a write that has found a record still finds it at its commit, and one
 * that has reused a key meanwhile keeps it. For one tenant, each condition names it.
 */
export function pruneStatement(schema: string, kind: EndingKind, tenant?: string): Statement {
  const s = quoted(schema);
  const { name, key } = tables[kind];
  const text = `with ended as materialized (
      select t.tenant, t.${key} as key from ${endedOf(schema, kind, tenant)} limit $2
    ), locked as materialized (
      select l.tenant from ${s}.tenants l where l.tenant in (select tenant from ended)
      ${tenant === undefined ? '' : `and l.tenant = ${tenant}`} order by l.tenant for update
    ), gone as (
      delete from ${s}.${name} d using ended, locked
      where d.tenant = ${tenant ?? 'locked.tenant'} and d.tenant = ended.tenant and d.${key} = ended.key
        ${aboveOf(kind) === undefined ? 'and d.ends_at <= $1' : ''} returning 1
    ) select count(*)::text as answer from gone`;
  return statement('prune', ` ${kind}${tenant === undefined ? '' : ' of one'}`, text);
}

/** Reads the id of a store: no row if it has made none. */
export const identitySql = (schema: string) => `select id as answer from ${quoted(schema)}.store`;

/**
 * The id of a store. Making one is one statement: of several at once, each gets the id of the first
 * transaction to commit, for which the others wait. On a cluster the row is on the coordinator, as
 * the integers are.
 */
export function createIdentity(send: SendOnce, schema: string): NonNullable<Store['identity']> {
  const read = statement('identity', '', identitySql(schema));
  const make = statement(
    'identity',
    '_made',
    `insert into ${quoted(schema)}.store as s (number, id) values (1, $1::text)
    on conflict (number) do update set id = s.id returning id as answer`,
  );
  return async () => {
    const found = await sendUntil((retries) => send(read, [], 1, retries), 'read');
    if (found.isErr()) return found.map(() => undefined);
    const [own] = found.value;
    if (typeof own === 'string') return ok(own);
    const made = await sendUntil((retries) => send(make, [newIdentity()], 1, retries), 'attempt');
    return made.map(([id]) => id ?? undefined);
  };
}
