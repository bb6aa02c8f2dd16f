import type { Profile, Tenant, ValueSets } from 'dealwright';
import { createInputChecks, type InputChecks } from 'dealwright/checks';
import {
  type Authenticator,
  type CategoryCatalogue,
  checkOptions,
  onlyNames,
  type Timer,
} from 'dealwright/ports';
import { createClient, type DealwrightClient, type FetchLike } from '../client/index.js';
import { readSettings, type Settings } from '../client/settings.js';

/** The service that keeps the contractors and deals, and the checks in front of it. */
export interface GatewayOptions {
  /** Where the service is: `http` or `https`, with the path before `/api/`, if any. */
  readonly baseUrl: string;
  /**
   * The service's API token for a tenant. Each tenant has its own, in each environment. A call of a
   * tenant without one is `unavailable`, and so is a call with the token of another tenant, because
   * it would see the deals of the other.
   */
  readonly token: (tenant: Tenant) => string | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike;
  /**
   * Milliseconds that the service has until the last byte of its response, and during an upload for
   * each piece of the content; default 30,000.
   */
  readonly timeout?: number;
  /** More headers for each request; those that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the runtime's own time and timers. */
  readonly timer?: Timer;
  /** The categories of deals here. */
  readonly categories: CategoryCatalogue;
  /** That of the handler here: `listTokens` is its `list`, and not asked of the service. */
  readonly authenticator?: Authenticator | 'host';
  /** The rules of input; default `interfaceProfile`. */
  readonly profile?: Profile;
  /** The sets of values that the interface does not show (decision 3). */
  readonly valueSets?: Partial<ValueSets>;
  /** Characters that the description of a deal of version 2.0 may have here; default 20,000. */
  readonly descriptionLimit?: number;
  /** Bytes that a work file may have here; default 25 MiB (decision 5.2). */
  readonly fileLimit?: number;
  /** Milliseconds that `categories` and `authenticator` have to answer; default 10,000. */
  readonly deadline?: number;
}

/** The parts of a gateway. */
export interface Wiring {
  readonly checks: InputChecks;
  readonly settings: Settings;
  /** The service as a tenant sees it; `undefined` if the tenant has no token of its own. */
  readonly connect: (tenant: Tenant) => DealwrightClient | undefined;
}

const names = [
  ...['baseUrl', 'token', 'fetch', 'timeout', 'headers', 'timer', 'authenticator'],
  ...['categories', 'profile', 'valueSets', 'descriptionLimit', 'fileLimit', 'deadline'],
];

/** Checks the options once; a `TypeError` says what is wrong, without any token. */
export function wire(options: GatewayOptions): Wiring {
  const given: GatewayOptions = Object(options);
  const { baseUrl, token, fetch, timeout, headers, timer, categories, authenticator, ...rules } =
    given;
  checkOptions('createGateway', {
    ...onlyNames('options', options, names),
    'token is a function of the tenant': typeof token === 'function',
    'categories.tree is a function': typeof categories?.tree === 'function',
    'categories.subcategory is a function': typeof categories?.subcategory === 'function',
    'authenticator.list, if there is one, is a function': ['undefined', 'function'].includes(
      typeof Object(authenticator).list,
    ),
  });
  // a call is one request: the caller decides whether there is another, and under which key
  const client = { ...given, attempts: 1, makeKeys: false };
  const settings = readSettings({ ...client, token: 'any' }, 'createGateway');
  const own = { categories, timer: settings.timer, ...(authenticator && { authenticator }) };
  const checks = createChecks(own, rules);
  return { checks, settings, connect: createConnect(client) };
}

/** Its options are those of the gateway: a mistake in them is told as one of the gateway. */
function createChecks(...given: Parameters<typeof createInputChecks>): InputChecks {
  try {
    return createInputChecks(...given);
  } catch (error) {
    throw new TypeError(String(error).replace('TypeError: createInputChecks', 'createGateway'));
  }
}

/** Makes one client for each tenant and its token, and never uses the token of another tenant. */
function createConnect({ token: find, ...client }: GatewayOptions): Wiring['connect'] {
  const ownerOf = new Map<string, string>();
  const connected = new Map<string, { readonly token: string; readonly api: DealwrightClient }>();
  return (tenant) => {
    const name = `${tenant.environment} ${tenant.partner}`;
    try {
      const token = find(tenant);
      const former = connected.get(name);
      if (token === undefined || (ownerOf.get(token) ?? name) !== name) return undefined;
      if (former?.token === token) return former.api;
      const api = createClient({ ...client, token });
      if (former !== undefined) ownerOf.delete(former.token);
      ownerOf.set(token, name);
      connected.set(name, { token, api });
      return api;
    } catch {
      // an error of the host's function may hold a token
      return undefined;
    }
  };
}
