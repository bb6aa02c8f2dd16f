import { createMemoryFileStore } from 'dealwright/memory';
import type { Tenant } from 'dealwright/ports';
import type { FileStoreSubject } from 'dealwright/spec';

const close = async () => undefined;

/** A correct file store, to break. */
export function createGoodFileStore(): FileStoreSubject {
  return { ...createMemoryFileStore(), close };
}

/** The store, if each tenant were the one that `merge` returns for it. */
export function mergeTenants(merge: (tenant: Tenant) => Tenant): FileStoreSubject {
  const store = createGoodFileStore();
  return {
    put: (tenant, ...rest) => store.put(merge(tenant), ...rest),
    get: (tenant, id) => store.get(merge(tenant), id),
    delete: (tenant, id) => store.delete(merge(tenant), id),
    list: (tenant, ...rest) => store.list(merge(tenant), ...rest),
    close,
  };
}

/** A file store with a mistake, and the case of the contract that must find it. */
export interface BrokenFileStore {
  readonly make: () => FileStoreSubject;
  readonly foundBy: string;
}
