import { err, ok, type Result } from 'neverthrow';
import type { FilesOwner } from '../api/answers.js';
import type { Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/answer.js';
import type { GuardedPorts as Ports } from '../ports/guarded-ports.js';

/** How many ids or tenants one call of a store looks up. */
export const batchSize = 100;

/** The claims of the contents of work files. */
export interface Claims {
  /** Asks for the owner, and claims contents without one, if they are this store's. */
  ask(): Promise<Result<FilesOwner, PortProblem>>;
  /** The last answer; it asks if there is none yet. */
  last(): Promise<Result<FilesOwner, PortProblem>>;
}

/**
 * Remembers the owner of the contents: each upload needs it, and it changes only by hand. Within a
 * transaction of the host no port is asked, since the store may wait for that transaction.
 */
export function createClaims(ports: Ports): { readonly own: Claims; readonly within: Claims } {
  let known: FilesOwner | undefined;
  let asking: ReturnType<Claims['ask']> | undefined;
  const ask = async () => {
    const found = await claimFiles(ports);
    if (found.isOk()) known = found.value;
    return found;
  };
  return {
    own: {
      ask,
      async last() {
        if (known !== undefined) return ok(known);
        asking ??= ask().finally(() => {
          asking = undefined;
        });
        return asking;
      },
    },
    within: { ask, last: async () => ok(known ?? { owner: 'not_kept' }) },
  };
}

/** Why contents that are not this store's must not be touched; `undefined` if no rule forbids it. */
export function foreign(found: FilesOwner): string | undefined {
  switch (found.owner) {
    case 'another_store':
      return `the contents belong to the store ${found.store}, and this is the store ${found.own}`;
    case 'unknown':
      return `whose the contents are is not known, and the store ${found.own} names none of them`;
    default:
      return undefined;
  }
}

async function claimFiles(ports: Ports): Promise<Result<FilesOwner, PortProblem>> {
  const { fileOwner } = ports;
  if (fileOwner === undefined) return ok({ owner: 'not_kept' });
  const identity = await ports.storeIdentity();
  if (identity.isErr()) return err(identity.error);
  const own = identity.value;
  if (own === undefined) return ok({ owner: 'not_kept' });
  const found = await fileOwner.read();
  if (found.isErr()) return err(found.error);
  const judge = (store: string): FilesOwner =>
    store === own ? { owner: 'this_store', own } : { owner: 'another_store', own, store };
  if (typeof found.value === 'object') return ok(judge(found.value.store));
  if (found.value === 'unknown') {
    const named = await namesAny(ports);
    if (named.isErr()) return err(named.error);
    if (!named.value) return ok({ owner: 'unknown', own });
  }
  // another process may have claimed them meanwhile
  const claimed = await fileOwner.claim(own);
  return claimed.isErr() ? err(claimed.error) : ok(judge(claimed.value));
}

/** Whether a work file of any tenant names one of the contents. */
async function namesAny(ports: Ports): Promise<Result<boolean, PortProblem>> {
  let last: Tenant | undefined;
  for (;;) {
    const page = await ports.tenants(last, batchSize);
    if (page.isErr()) return err(page.error);
    for (const { tenant } of page.value) {
      const named = await namesAnyOf(ports, tenant);
      if (named.isErr() || named.value) return named;
    }
    last = page.value.at(-1)?.tenant;
    if (last === undefined) return ok(false);
  }
}

async function namesAnyOf(ports: Ports, tenant: Tenant): Promise<Result<boolean, PortProblem>> {
  for await (const batch of batches(
    (after) => ports.listFiles(tenant, after),
    (id) => id,
  )) {
    if (batch.isErr()) return err(batch.error);
    const recorded = await ports.recordedWorkFiles(tenant, batch.value);
    if (recorded.isErr()) return err(recorded.error);
    if (recorded.value.length > 0) return ok(true);
  }
  return ok(false);
}

/** The items of a list, page by page, in batches that one call of a store can look up. */
export async function* batches<T>(
  list: (
    after: string | undefined,
  ) => Result<readonly T[], PortProblem> | PromiseLike<Result<readonly T[], PortProblem>>,
  idOf: (listed: T) => string,
): AsyncGenerator<Result<readonly T[], PortProblem>> {
  let after: string | undefined;
  for (;;) {
    const page = await list(after);
    if (page.isErr()) {
      yield page;
      return;
    }
    const last = page.value.at(-1);
    if (last === undefined) return;
    after = idOf(last);
    for (let at = 0; at < page.value.length; at += batchSize) {
      yield ok(page.value.slice(at, at + batchSize));
    }
  }
}
