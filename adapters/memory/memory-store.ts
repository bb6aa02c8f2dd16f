import type { EventLog, StorePorts } from 'dealwright/ports';
import { createContractors } from './contractors.js';
import { createDeals, createDealsV2 } from './deals.js';
import { createEventLog } from './event-log.js';
import { createShelves } from './shelves.js';

/**
 * A store that keeps everything in memory, for tests and for trying things out.
 *
 * @example
 * ```ts
 * import { createMemoryStore, type MemoryStore } from 'dealwright/memory';
 *
 * const store: MemoryStore = createMemoryStore();
 * ```
 */
export interface MemoryStore extends StorePorts {
  readonly events: EventLog;
}

/**
 * Makes an empty store: the reference implementation of the repository ports. It decides each call
 * in one synchronous step, and what it keeps and what it hands out are never the same object.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const { contractors, deals, dealsV2, events } = createMemoryStore();
 * ```
 */
export function createMemoryStore(): MemoryStore {
  const shelves = createShelves();
  return {
    contractors: createContractors(shelves),
    deals: createDeals(shelves),
    dealsV2: createDealsV2(shelves),
    events: createEventLog(shelves),
  };
}
