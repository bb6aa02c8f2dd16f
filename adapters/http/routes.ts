import type { PartnerApi } from 'dealwright';

/**
 * The versions of the interface (interface, Versioning).
 *
 * @example
 * ```ts
 * import type { ApiVersion } from 'dealwright/http';
 *
 * const version: ApiVersion = '2.0';
 * ```
 */
export type ApiVersion = '1.0' | '2.0';

/** One row of the interface: what a method on a path means. */
export interface Route {
  readonly method: 'POST';
  /** With its closing slash; without it the same path is answered the same way. */
  readonly path: string;
  readonly version: ApiVersion;
  readonly operation: keyof PartnerApi;
}

/** The one table that requests are looked up in. */
export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/1.0/contractor/',
    version: '1.0',
    operation: 'registerContractor',
  },
  { method: 'POST', path: '/api/1.0/deal/', version: '1.0', operation: 'createDeal' },
  { method: 'POST', path: '/api/2.0/deal/', version: '2.0', operation: 'createDealV2' },
];
