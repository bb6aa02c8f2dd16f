import { createMemoryStore } from 'dealwright/memory';
import { ok } from 'neverthrow';

/** A store for measuring what is not the store: it answers every write with `committed` and keeps none. */
export function createNothingStore() {
  return { ...createMemoryStore(), commit: () => ok({ outcome: 'committed' }) };
}
