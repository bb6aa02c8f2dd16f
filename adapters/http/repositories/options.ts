import { isTenant, type Tenant } from 'dealwright';
import type { FetchLike } from '../client/fetch-like.js';

/**
 * Which service keeps the contractors and deals of record, and with which tokens.
 */
export interface HttpRepositoriesOptions {
  /** Where the service is: `http` or `https`, with the path that `/api/` stands under, if any. */
  readonly baseUrl: string;
  /**
   * The API token of a tenant: each has its own, in each environment. A tenant without one is
   * `unavailable`, and so is one that comes with the token of another: with it, it would see the
   * other's deals. One token alone is that of `tenant`.
   */
  readonly token: string | ((tenant: Tenant) => string | undefined);
  /** Whom a `token` that is a text speaks for. */
  readonly tenant?: Tenant;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike;
  /**
   * Milliseconds that a request has until the last byte of its answer; default 9,000, so that the
   * answer is there before the ten seconds that a marketplace waits for a port by default.
   */
  readonly timeout?: number;
  /** More headers for each request; those that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Finds the token of a tenant; nothing where it has none of its own. */
export type FindToken = (tenant: Tenant) => string | undefined;

/** Finds tokens as the options say, and never one tenant's for another. */
export function createFindToken({ token, tenant }: HttpRepositoriesOptions): FindToken {
  if (typeof token === 'function') return exclusive(token);
  if (typeof token !== 'string') {
    throw new TypeError('createHttpRepositories: token is a text or a function of the tenant');
  }
  if (!isTenant(tenant)) {
    throw new TypeError('createHttpRepositories: a token that is a text needs the tenant it is of');
  }
  const owner = nameOf(tenant);
  return (asking) => (nameOf(asking) === owner ? token : undefined);
}

function exclusive(find: (tenant: Tenant) => string | undefined): FindToken {
  const ownerOf = new Map<string, string>();
  const tokenOf = new Map<string, string>();
  return (tenant) => {
    const token: unknown = find(tenant);
    if (typeof token !== 'string') return undefined;
    const name = nameOf(tenant);
    const owner = ownerOf.get(token) ?? name;
    if (owner !== name) return undefined;
    const former = tokenOf.get(name);
    // one a tenant: tokens that are renewed do not pile up
    if (former !== undefined && former !== token) ownerOf.delete(former);
    ownerOf.set(token, name);
    tokenOf.set(name, token);
    return token;
  };
}

function nameOf({ environment, partner }: Tenant): string {
  return `${environment} ${partner}`;
}
