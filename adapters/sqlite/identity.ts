import type { Store } from 'dealwright/ports';
import { newIdentity } from '../sql/identity.js';
import type { Connection } from './connection.js';
import type { Prepare } from './sqlite-like.js';

/** Reads the id of a store, if it has made one. */
export function readIdentity(prepare: Prepare): string | undefined {
  return prepare('select id from dealwright_store').get<{ id: string }>()?.id;
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
