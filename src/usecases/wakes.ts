import type { Tenant } from '../domain/values/tenant.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';

/** Called when a tenant may have something for a relay, or any tenant if none is named. */
export type WakeListener = (tenant: Tenant | undefined, isForced: boolean) => void;

/** Notifies the relays of this process of changes. */
export interface Wakes {
  /** `isForced` means that there may be more than new events. */
  wake(tenant: Tenant | undefined, isForced: boolean): void;
  /** Calls the listener each time, until the function that it returns is called. */
  listen(listener: WakeListener): () => void;
}

/** Makes the wakes that relays listen to. */
export function createWakes(): Wakes {
  const listeners = new Set<WakeListener>();
  return {
    wake(tenant, isForced) {
      for (const listener of listeners) listener(tenant, isForced);
    },
    listen(listener) {
      // the same function may listen twice
      const own: WakeListener = (...given) => listener(...given);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Ports that wake relays after each write with events. */
export function waking(ports: GuardedPorts, { wake }: Wakes): GuardedPorts {
  return {
    ...ports,
    commit(tenant, write) {
      const answer = ports.commit(tenant, write);
      if (write.events.length === 0) return answer;
      const tell = <T extends Awaited<typeof answer>>(committed: T): T => {
        if (committed.isOk() && committed.value.outcome === 'committed') wake(tenant, false);
        return committed;
      };
      return answer instanceof Promise ? answer.then(tell) : tell(answer);
    },
  };
}
