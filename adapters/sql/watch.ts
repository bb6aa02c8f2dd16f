import type { Answer, CommitOutcome, Store, Tenant } from 'dealwright/ports';

/** The listeners to growing logs. */
export interface Watchers {
  readonly watch: NonNullable<Store['watch']>;
  /** Calls all of them, in a turn of their own; without a tenant if it may be any. */
  tell(tenant: Tenant | undefined): void;
}

/** No listeners yet. A listener that throws affects neither the write nor the others. */
export function createWatchers(): Watchers {
  type Listener = Parameters<Watchers['watch']>[0];
  const all = new Set<{ readonly listener: Listener }>();
  return {
    watch(listener) {
      const own = { listener };
      all.add(own);
      return () => void all.delete(own);
    },
    tell(tenant) {
      for (const own of all) {
        queueMicrotask(() => {
          if (!all.has(own)) return;
          try {
            own.listener(tenant && { ...tenant });
          } catch {
            // an error of a listener is not the store's
          }
        });
      }
    },
  };
}

/** Commits, and notifies of the tenant once its log has grown. */
export function noting(
  commit: Store['commit'],
  hasGrown: (tenant: Tenant) => void,
): Store['commit'] {
  return (given, write): Answer<CommitOutcome> => {
    const answer = commit(given, write);
    if (write.events.length === 0) return answer;
    const { environment, partner } = given;
    const note = (result: Awaited<Answer<CommitOutcome>>) => {
      const isMade = result.isOk() && result.value.outcome === 'committed';
      if (isMade) hasGrown({ environment, partner });
      return result;
    };
    return 'then' in answer ? answer.then(note) : note(answer);
  };
}
