import type { Store } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { newIdentity } from '../../sql/identity.js';
import { type SendOnce, sendUntil } from '../connection/send.js';
import { quoted, statement } from '../connection/statement.js';

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
