import type { Environment, Marketplace } from 'dealwright';
import {
  type Authenticator,
  checkOptions,
  type Digest,
  type Ids,
  type Limiter,
  type MarketplacePorts,
  type OperatorAuthenticator,
  type OptionRules,
  onlyNames,
  type Timer,
} from 'dealwright/ports';
import { isInteger, isTimer, longestWait } from '../../shared/options.js';
import type { WireErrorCode } from '../wire/problem.js';
import type { ApiVersion } from '../wire/route.js';

/** The ports and options of a handler. */
export interface HandlerOptions {
  readonly timer: Timer;
  /** Makes the ids of requests without one. */
  readonly ids: Ids;
  /** Makes the digests by which API tokens are remembered. */
  readonly digest: Digest;
  /** Finds the tenant of an API token. With `'host'` no token is valid: `resolveCaller` decides. */
  readonly authenticator: Authenticator | 'host';
  /**
   * Finds the environment of an operator's token, or `'host'` as above; without it, there are no
   * paths below `/operator/` (decision 6.5).
   */
  readonly operatorAuthenticator?: OperatorAuthenticator | 'host';
  /** Takes `Authorization: Bearer` beside `Token`, `Offer` and `Operator`; default `false`. */
  readonly acceptBearer?: boolean;
  /**
   * The path below which the handler is mounted, such as `/deals`: it then expects whole paths, and
   * answers 404 outside. With `''`, the default, it expects paths without a prefix.
   */
  readonly basePath?: string;
  /** Default: no request is refused. */
  readonly limiter?: Limiter;
  /**
   * How many proxies stand in front. Each adds the address of its client to `X-Forwarded-For`, and
   * the limiter uses that address; default 0: the address of the connection.
   */
  readonly proxies?: number;
  /** The environment whose tokens are valid here; default `'by-token'`: both (decision 5.6). */
  readonly environment?: Environment | 'by-token';
  /** The versions that are served; default: both in both environments (decision 5.5). */
  readonly versions?: Partial<Readonly<Record<Environment, readonly ApiVersion[]>>>;
  /** Sent in the headers of every 1.0 answer. */
  readonly deprecation?: Deprecation;
  /** Origins whose pages may read answers, or `'*'` for all; default: none (decision 5.7). */
  readonly corsOrigins?: readonly string[] | '*';
  /** Headers that pages of those origins may send besides those that the interface knows. */
  readonly corsHeaders?: readonly string[];
  /** Bytes of a JSON body; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Milliseconds for authenticators, limiter and `resolveCaller` to answer; default 10,000. */
  readonly deadline?: number;
  /** Seconds in `Retry-After` if a port does not say; default 5. */
  readonly retryAfter?: number;
  /** API tokens remembered at most; with 0 the authenticator is asked each time; default 10,000. */
  readonly tokenCacheSize?: number;
  /** Milliseconds that a token is remembered, at most 60,000 (decision 5.3), the default. */
  readonly tokenCacheAge?: number;
  /** The page at `GET /`: `createReferencePage` of `dealwright/reference`; default: none. */
  readonly referencePage?: PageFilesLike;
  /** The pages for people: `createPages` of `dealwright/pages`; default: none. */
  readonly pages?: PageFilesLike;
  /** Called by `/readyz` before the store; `false` means 503: the process is about to stop. */
  readonly isReady?: () => boolean;
  /** Called for every request, once it is answered. */
  readonly onRequest?: (report: RequestReport) => unknown;
  /**
   * Called with the cause of every 500 and 503, and once a minute at most with that of a 401 because
   * of the origin of a page, for which `resolveCaller` was not called.
   */
  readonly onError?: (report: ErrorReport) => unknown;
}

/** Since when version 1.0 is deprecated, when it ends, and where to read about it. */
export interface Deprecation {
  /** The header `Deprecation` (RFC 9745). */
  readonly since: Date;
  /** The header `Sunset` (RFC 8594). */
  readonly sunset?: Date;
  /** The header `Link` with `rel="deprecation"`. */
  readonly guide?: string;
}

/** The files of pages by their paths outside the interface, headers in lower case. */
export type PageFilesLike = Readonly<
  Record<string, { readonly headers: Readonly<Record<string, string>>; readonly body: string }>
>;

/** One answered request, without its secrets and its content. */
export interface RequestReport {
  readonly request_id: string;
  readonly method: string;
  readonly status: number;
  /** Milliseconds of the clock. */
  readonly duration: number;
  /** The path of the route, if the request has one. */
  readonly route?: string;
  readonly operation?: string;
  readonly api_version?: ApiVersion;
  /** A call of version 1.0. */
  readonly deprecated: boolean;
  readonly environment?: Environment;
  readonly partner?: string;
}

/** The cause of a 500, a 503, or a 401 as in `onError`: for the host alone, never on the wire. */
export interface ErrorReport {
  readonly request_id: string;
  readonly code: WireErrorCode;
  /** The port that failed, if one did. */
  readonly port?: string;
  readonly cause: unknown;
}

/** The other ports of a marketplace: a host may pass all its ports in one object. */
const otherPorts = [
  'clock',
  'sha256',
  'store',
  'files',
  'categories',
  'paymentTokens',
  'payments',
  'scanner',
  'webhooks',
  'secrets',
] as const satisfies readonly (keyof MarketplacePorts)[];

const optionNames = [
  'timer',
  'ids',
  'digest',
  'authenticator',
  'operatorAuthenticator',
  'acceptBearer',
  'basePath',
  'limiter',
  'proxies',
  'environment',
  'versions',
  'deprecation',
  'corsOrigins',
  'corsHeaders',
  'bodyLimit',
  'deadline',
  'retryAfter',
  'tokenCacheSize',
  'tokenCacheAge',
  'referencePage',
  'pages',
  'isReady',
  'onRequest',
  'onError',
] as const satisfies readonly (keyof HandlerOptions)[];

const numbers = {
  bodyLimit: [1, longestWait],
  deadline: [1, longestWait],
  retryAfter: [0, 86_400],
  proxies: [0, 100],
  tokenCacheSize: [0, 10_000_000],
  tokenCacheAge: [0, 60_000],
} as const satisfies Partial<Record<keyof HandlerOptions, readonly [number, number]>>;

/** Throws a `TypeError` for options that break a rule. */
export function checkHandlerOptions(marketplace: Marketplace, given: HandlerOptions): void {
  const options: Partial<HandlerOptions> = Object(given);
  const { timer, ids, digest, authenticator, environment = 'by-token' } = options;
  const {
    limiter,
    operatorAuthenticator: operators,
    basePath = '',
    acceptBearer = false,
  } = options;
  const isFunction = (value: unknown) => typeof value === 'function';
  checkOptions('createHandler', {
    'marketplace.partner is a function: createMarketplace makes what is wanted':
      typeof marketplace?.partner === 'function',
    ...onlyNames('options', given, [...optionNames, ...otherPorts]),
    'timer.now and timer.sleep are functions': isTimer(timer),
    'ids.next is a function': isFunction(ids?.next),
    'digest is a function': isFunction(digest),
    "authenticator.authenticate is a function, or authenticator is 'host'":
      authenticator === 'host' || isFunction(authenticator?.authenticate),
    "operatorAuthenticator.authenticate is a function, or operatorAuthenticator is 'host'":
      operators === undefined || operators === 'host' || isFunction(operators.authenticate),
    'limiter.take and, if there is one, limiter.takeOther are functions':
      limiter === undefined ||
      (isFunction(limiter.take) && isFunction(limiter.takeOther ?? limiter.take)),
    'isReady, onRequest and onError are functions': [
      options.isReady,
      options.onRequest,
      options.onError,
    ].every((each) => each === undefined || isFunction(each)),
    "environment is 'production', 'sandbox' or 'by-token' (the default)": [
      'production',
      'sandbox',
      'by-token',
    ].includes(environment),
    'acceptBearer is true or false': typeof acceptBearer === 'boolean',
    "basePath is a path such as '/deals', without a slash at its end, or ''":
      basePath === '' || isBasePath(basePath),
    ...rulesOfVersions(options.versions),
    ...rulesOfDeprecation(options.deprecation),
    "corsOrigins are whole origins such as 'https://app.example.com', none with a wildcard, or '*' for all":
      areOrigins(options.corsOrigins),
    "corsHeaders is a list of names of headers, such as ['sentry-trace']": areHeaders(
      options.corsHeaders,
    ),
    ...rulesOfFiles('referencePage', 'createReferencePage()', options.referencePage),
    ...rulesOfFiles('pages', 'createPages()', options.pages),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, [least, most]]) => [
        `${name} is an integer from ${least} to ${most}`,
        isInteger(options[name as keyof typeof numbers] ?? least, least, most),
      ]),
    ),
  });
}

/** As in requests: a URL has neither dot segments nor a percent sign that encodes nothing. */
function isBasePath(path: unknown): boolean {
  return (
    typeof path === 'string' &&
    /^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)+$/i.test(path) &&
    new URL(path, 'http://host').pathname === path
  );
}

function rulesOfVersions(versions: HandlerOptions['versions']): OptionRules {
  if (versions === undefined) return {};
  const { production = [], sandbox = [] }: typeof versions = Object(versions);
  return {
    ...onlyNames('versions', versions, ['production', 'sandbox']),
    "versions are lists of '1.0' and '2.0'": [production, sandbox].every(
      (served) => Array.isArray(served) && served.every((each) => ['1.0', '2.0'].includes(each)),
    ),
  };
}

function rulesOfDeprecation(deprecation: Deprecation | undefined): OptionRules {
  if (deprecation === undefined) return {};
  const { since, sunset = since, guide }: Deprecation = Object(deprecation);
  return {
    ...onlyNames('deprecation', deprecation, ['since', 'sunset', 'guide']),
    'deprecation.since and deprecation.sunset are dates': [since, sunset].every(
      (date) => date instanceof Date && !Number.isNaN(date.getTime()),
    ),
    // text that is not a URL could end the header that contains it
    'deprecation.guide is an absolute http or https URL':
      guide === undefined || /^https?:\/\/[!#-;=?-~]+$/.test(guide),
  };
}

function areOrigins(origins: HandlerOptions['corsOrigins'] = '*'): boolean {
  const isOrigin = (each: string) =>
    URL.canParse(each) && new URL(each).origin === each && !each.includes('*');
  return origins === '*' || (Array.isArray(origins) && origins.every(isOrigin));
}

function areHeaders(names: HandlerOptions['corsHeaders'] = []): boolean {
  const isName = (each: unknown) => typeof each === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(each);
  return Array.isArray(names) && names.every(isName);
}

function rulesOfFiles(option: string, maker: string, files: PageFilesLike = {}): OptionRules {
  const isFile = ([path, file]: [string, unknown]) => {
    const { headers, body } = Object(file) as Partial<PageFilesLike[string]>;
    return (
      typeof body === 'string' &&
      Object.entries(headers ?? {}).every(
        ([name, value]) => /^[a-z-]+$/.test(name) && /^[ -~]*$/.test(value),
      ) &&
      /^\/(?!api\/|operator\/|healthz|openapi\.json)[!-~]*$/.test(path)
    );
  };
  return {
    [`${option} is what ${maker} makes`]: typeof files === 'object' && files !== null,
    [`${option} holds { headers, body } by paths outside the interface`]: Object.entries(
      Object(files),
    ).every(isFile),
  };
}
