import type { Tenant } from '../domain/values/tenant.js';
import { isUlid } from '../domain/values/ulid.js';
import type { Ask } from './ask.js';
import type { FileStore } from './file-store.js';

/** Guards the optional owner of a file store, as `guardPorts` does; `undefined` without one. */
export function guardOwner({ owner }: FileStore, ask: Ask) {
  return (
    owner && {
      read: () =>
        ask(
          'files.owner',
          'none',
          () => owner.read(),
          (found) => found === 'empty' || found === 'unknown' || isUlid(found.store),
        ),
      claim: (store: string) => ask('files.owner', 'unknown', () => owner.claim(store), isUlid),
    }
  );
}

/** Guards a trash. */
export function guardTrash({ trash }: FileStore, ask: Ask) {
  const isOutcome = (done: string) => (answer: string) => answer === done || answer === 'missing';
  return (
    trash && {
      put: (tenant: Tenant, id: string, since: number) =>
        ask('files.trash', 'unknown', () => trash.put(tenant, id, since), isOutcome('trashed')),
      restore: (tenant: Tenant, id: string) =>
        ask('files.trash', 'unknown', () => trash.restore(tenant, id), isOutcome('restored')),
      delete: (tenant: Tenant, id: string) =>
        ask('files.trash', 'unknown', () => trash.delete(tenant, id), isOutcome('deleted')),
      list: (tenant: Tenant, after: string | undefined) =>
        ask(
          'files.trash',
          'none',
          () => trash.list(tenant, after),
          (found) =>
            found.every(
              ({ id, since }) => Number.isFinite(since) && (after === undefined || id > after),
            ),
        ),
    }
  );
}
