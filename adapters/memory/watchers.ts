import type { Store, Tenant } from 'dealwright/ports';

type Listener = Parameters<NonNullable<Store['watch']>>[0];

/** Who is told that a log has grown, each in a turn of its own: what it throws disturbs nobody. */
export function createWatchers() {
  const all = new Set<{ readonly listener: Listener }>();
  const call = (own: { readonly listener: Listener }, tenant: Tenant) => {
    try {
      if (all.has(own)) own.listener({ ...tenant });
    } catch {
      // what it does is not the store's affair
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
