import {
  type EndingKind,
  type Kind,
  type PortFailure,
  records,
  type Store,
  shapeOf,
  unavailable,
} from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createReserve } from '../shared/id-blocks.js';
import { newIdentity } from '../sql/identity.js';
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

/** Reads the id of a store, if it has made one. */
export function readIdentity(prepare: Prepare): string | undefined {
  return prepare('select id as id from dealwright_store').get<{ id: string }>()?.id;
}

/** The id of a store: if several make it at once, the first transaction to commit wins. */
export function createIdentity(
  prepare: Prepare,
  { read, write }: Connection,
): NonNullable<Store['identity']> {
  const insert = prepare(
    'insert into dealwright_store (only, id) values (1, ?) on conflict do nothing',
  );
  return async () => {
    const found = await read('identity', () => readIdentity(prepare));
    if (found.isErr() || found.value !== undefined) return found;
    return write({
      name: 'identity',
      apply() {
        insert.run(newIdentity());
        return readIdentity(prepare);
      },
    });
  };
}

/** Integers that are reserved at once, so that most creates cost no write for them. */
const blockSize = 256;

const cause = new Error('all integers are given out');
/** No integer is left. */
const usedUp = unavailable({ outcome: 'none', retryable: false, cause }).error;

export const orUsedUp = (first: number | undefined): Result<number, PortFailure> =>
  first === undefined ? err(usedUp) : ok(first);

/** Gives integers of blocks that no other process gets. */
export function createSqliteReserve({ write }: Connection): Store['reserve'] {
  return createReserve((environment) => ({
    async fetch(count) {
      const taken = await write({
        name: 'reserve',
        apply: (batch) => batch.takeNumbers(environment, count),
      });
      // they are not used, whether they were reserved or not
      return taken
        .mapErr((failure): PortFailure => ({ ...failure, outcome: 'none' }))
        .andThen(orUsedUp);
    },
    size: blockSize,
    isUsedUp: (failure) => failure === usedUp,
  }));
}
