import type { EventLog, FileStore, StoreArchive, StorePorts } from 'dealwright/ports';
import { createArchive } from './archive.js';
import { createContractors } from './contractors.js';
import { createDealIndex } from './deal-index.js';
import { createDeals, createDealsV2 } from './deals.js';
import { createEventLog } from './event-log.js';
import { createMemoryFileStore } from './files.js';
import { createShelves } from './shelves.js';

/**
 * A store that keeps everything in memory, for tests and for trying things out.
 */
export interface MemoryStore extends StorePorts {
  readonly events: EventLog;
  /** In memory too: put another beside it where files are to last. */
  readonly files: FileStore;
  /** Everything but the contents of files. */
  readonly archive: StoreArchive;
}

/**
 * Makes an empty store: the reference implementation of the repository ports. It decides each call
 * in one synchronous step, and what it keeps and what it hands out are never the same object.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const { contractors, deals, dealsV2, dealIndex, events, files, archive } = createMemoryStore();
 * ```
 */
export function createMemoryStore(): MemoryStore {
  const shelves = createShelves();
  return {
    contractors: createContractors(shelves),
    deals: createDeals(shelves),
    dealsV2: createDealsV2(shelves),
    dealIndex: createDealIndex(shelves),
    events: createEventLog(shelves),
    files: createMemoryFileStore(),
    archive: createArchive(shelves),
  };
}
