import { createMemoryStore } from 'dealwright/memory';
import { ok } from 'neverthrow';

/**
 * A store for measuring all other code: it answers every write with `committed` and stores none.
 */
export function createNothingStore() {
  return { ...createMemoryStore(), commit: () => ok({ outcome: 'committed' }) };
}
