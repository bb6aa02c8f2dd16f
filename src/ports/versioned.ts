/**
 * An aggregate as it was read, with the version that a save has to name. The version is the
 * sequence of the aggregate's last event, so that events have no gaps however many save at once.
 */
export interface Versioned<T> {
  readonly value: T;
  readonly version: number;
}

/**
 * What became of a save: done; refused because the version is no longer the stored one, so that
 * the caller has to read and decide again; or there is nothing to save to.
 */
export type SaveOutcome = 'saved' | 'stale' | 'missing';
