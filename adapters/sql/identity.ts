import { isUlid, ulidOf } from 'dealwright/ports';

/** An id for a store that has none. */
export function newIdentity(): string {
  return ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
}

/** The id of the store with the records of an archive, if there is one. */
export async function identityOf(records: {
  identity?(): PromiseLike<string | undefined>;
}): Promise<string | undefined> {
  const identity = await records.identity?.();
  if (identity === undefined || isUlid(identity)) return identity;
  throw new Error('the id of the store that the records are of is not a ULID');
}
