import type { Billing } from '../domain/billing.js';
import type { DealInput, ShownDeal } from '../domain/deal.js';
import type { listedFields } from '../domain/deal-list.js';
import type { StageStatus } from '../domain/stage.js';
import type { DealStatus, FreelancerStatus } from '../domain/status.js';
import type { WorkFile } from '../domain/work-file.js';

/** The answer to a registered contractor (interface, POST /api/1.0/contractor/). */
export interface ContractorRegistered {
  readonly contractor_email: string;
}

/** The answer to a created deal (interface, POST /api/1.0/deal/). */
export interface DealCreated {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/**
 * The answer to a created 2.0 deal (interface, POST /api/2.0/deal/). The payment token is a secret.
 */
export interface DealV2Created {
  readonly payment_token: string;
  readonly freelancer_status: FreelancerStatus;
  readonly status: DealStatus;
}

/** A main category with its subcategories, named in the language of the call (decision 4). */
export interface CategoryListEntry {
  readonly id: number;
  readonly name: string;
  readonly subcategories: readonly { readonly id: number; readonly name: string }[];
}

/**
 * A deal of version 1.0 as it is retrieved (interface, Retrieve a specific deal; decision 4).
 * `budget` has two decimals.
 */
export interface DealRetrieved extends Required<DealInput> {
  readonly id: number;
  readonly status: DealStatus;
  readonly stages: readonly StageRetrieved[];
  readonly billing: Billing;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}

/** A stage of a retrieved deal. */
export interface StageRetrieved {
  readonly id: number;
  readonly name: string;
  /** Decimal string with two decimals. */
  readonly budget: string;
  readonly work_days: number;
  readonly status: StageStatus;
  readonly work_files: readonly WorkFile[];
}

/**
 * A deal of either version under the names of version 2.0 (interface, Retrieve deal details;
 * decision 4). What version 1.0 has no field for is `null`. `amount` has two decimals, the payment
 * token is a secret, and `created_at` is RFC 3339 in UTC with milliseconds.
 */
export interface DealDetails extends ShownDeal {
  readonly billing: Billing;
}

/** A deal of either version in a list (decision 4), each member as in its details. */
export type DealListItem = Pick<DealDetails, (typeof listedFields)[number]>;

/** A page of a list of deals, newest first (interface, List employer deals). */
export interface DealListPage {
  readonly results: readonly DealListItem[];
  /** The cursor of older deals, or `null` where there are no more. */
  readonly next: string | null;
  /** The cursor of newer deals; `null` on the first page. */
  readonly previous: string | null;
}

/** The result of a sweep: contents that no work file names. */
export interface FilesSwept {
  /** Contents that a work file names, or that are too young to tell. */
  readonly kept: number;
  readonly deleted: number;
}
