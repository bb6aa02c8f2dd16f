import type { Answer, CommitOutcome, Store, Tenant } from 'dealwright/ports';

/** Who is told that a log has grown. */
export interface Watchers {
  readonly watch: NonNullable<Store['watch']>;
  /** Tells all of them, in a turn of their own; without a tenant where it may be any. */
  tell(tenant: Tenant | undefined): void;
}

/** Nobody yet. A listener that throws disturbs neither the write nor the others. */
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
            // what it does is not the store's affair
          }
        });
      }
    },
  };
}

/** Commits, and says of whom a log has grown once that is known. */
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
