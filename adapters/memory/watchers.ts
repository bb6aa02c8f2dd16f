import type { Store, Tenant } from 'dealwright/ports';

type Listener = Parameters<NonNullable<Store['watch']>>[0];

/** The listeners to growing logs, each called in its own turn: an error of one affects no other. */
export function createWatchers() {
  const all = new Set<{ readonly listener: Listener }>();
  const call = (own: { readonly listener: Listener }, tenant: Tenant) => {
    try {
      if (all.has(own)) own.listener({ ...tenant });
    } catch {
      // an error of a listener is not the store's
    }
  };
  return {
    watch(listener: Listener) {
      const own = { listener };
      all.add(own);
      return () => void all.delete(own);
    },
    tell(tenant: Tenant) {
      for (const own of all) queueMicrotask(() => call(own, tenant));
    },
  };
}
