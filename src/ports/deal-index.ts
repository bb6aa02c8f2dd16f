import type { DealPosition } from '../domain/cursor.js';
import type { Deal } from '../domain/deal.js';
import type { DealFilter, DealListEntry } from '../domain/deal-list.js';
import type { DealV2 } from '../domain/deal-v2.js';
import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';
import type { Versioned } from './versioned.js';

/**
 * A stored deal, of whichever version it was created with.
 */
export type StoredDeal =
  | ({ readonly api_version: '1.0' } & Versioned<Deal>)
  | ({ readonly api_version: '2.0' } & Versioned<DealV2>);

/**
 * Which stretch of a list is wanted: at most `limit` deals next to `from`, itself not among them.
 */
export interface DealStretch {
  /** Older deals than `from`, or newer ones. */
  readonly direction: 'older' | 'newer';
  /** Without it: the oldest end of what is newer, the newest end of what is older. */
  readonly from: DealPosition | undefined;
  readonly limit: number;
}

/**
 * A deal of a list, and where it stands in it.
 */
export interface ListedDeal {
  readonly entry: DealListEntry;
  readonly position: DealPosition;
}

/**
 * The deals of both versions that a tenant has, to be read. It is a door of the same store as the
 * repositories: what they have added is there.
 */
export interface DealIndex {
  byPartnerId(tenant: Tenant, partner_id: string): Answer<StoredDeal | undefined>;
  /**
   * The deals of the stretch that pass the filter, newest first whatever the direction. It costs
   * the same at any depth: a store seeks the position, it does not count up to it.
   */
  list(tenant: Tenant, filter: DealFilter, stretch: DealStretch): Answer<readonly ListedDeal[]>;
}
