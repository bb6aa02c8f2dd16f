import {
  createMarketplace,
  type Environment,
  type LocalMarketplace,
  type MarketplaceOptions,
  type Tenant,
} from 'dealwright';
import { createOperatorAuthenticator, createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createHandler, type Handler, type HandlerOptions } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createSandboxGateway } from 'dealwright/payments';
import type { MarketplacePorts } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { prune, pruneHourly } from './prune.js';
import { sweep, sweepDaily } from './sweep.js';
import type { WorkFailure } from './work-failure.js';

/**
 * Everything that `createMarketplace` and `createHandler` take, none of it required. An option that
 * both take (`deadline`) holds for both.
 */
export interface DealwrightOptions
  extends Partial<MarketplacePorts>,
    MarketplaceOptions,
    Partial<Omit<HandlerOptions, keyof MarketplacePorts | keyof MarketplaceOptions>> {
  /** The API tokens of partners, in the place of an `authenticator`. */
  readonly apiTokens?: Iterable<readonly [token: string, tenant: Tenant]>;
  /** The tokens of the host's staff, in the place of an `operatorAuthenticator`. */
  readonly operatorTokens?: Iterable<readonly [token: string, environment: Environment]>;
}

/** A deals back end, whole. */
export interface Dealwright {
  readonly marketplace: LocalMarketplace;
  /** What `createNodeListener` and `createFetchHandler` mount. */
  readonly handler: Handler;
  /** The ports that it stands on, the defaults among them. */
  readonly ports: MarketplacePorts;
  /**
   * Begins what no request does: deadlines and payments that are due, every second, what goes to
   * webhooks, where there are `webhooks` and `secrets`, every hour what has ended, and once a day a
   * sweep of what killed uploads have left. Returns what stops it, which resolves once nothing is
   * under way. Run it in one process or in many: what is due is done once.
   */
  start(onFailure: (failure: WorkFailure) => unknown): () => Promise<void>;
  /**
   * One such sweep, of what is `minAge` milliseconds old: two hours or more, a day by default. Less
   * is `unavailable`, not worth a retry, as soon as a tenant or a folder of files is asked. So are
   * files of another store, and ports that cannot tell (`marketplace.sweepFiles`).
   */
  sweep(minAge?: number): ReturnType<typeof sweep>;
  /**
   * Deletes all that has ended, in batches, and says how many records: idempotency keys of commands,
   * and what is left of deleted webhooks. `start` does it every hour.
   */
  prune(): ReturnType<typeof prune>;
}

/**
 * Wires a deals back end in one call. Without options it keeps everything in memory: for a first
 * try and for tests. Each part can be replaced: the ports (`store`, `files`, `paymentTokens`,
 * `payments`, ...), the options of `createMarketplace`, those of `createHandler`. Without
 * `apiTokens` and `authenticator`, `resolveCaller` of the listener alone says who calls.
 *
 * Throws a `TypeError` for a mistake in the wiring, such as an option that does not exist.
 *
 * @example
 * ```ts
 * import { createDealwright } from 'dealwright/host';
 *
 * const { marketplace } = createDealwright();
 * const api = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
 * const categories = await api.listCategories();
 * ```
 */
export function createDealwright(options: DealwrightOptions = {}): Dealwright {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError('createDealwright: options are an object with store, apiTokens, ...');
  }
  checkNames(options);
  const { apiTokens, operatorTokens, ...given } = options;
  const { ports: own, marketplace: rules, handler: http } = apart(given);
  const ports: MarketplacePorts = {
    ...createSystemPorts(),
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
    // it executes nothing in production: there somebody pays, and reports it
    payments: createSandboxGateway(),
    ...own,
  };
  const marketplace = createMarketplace(ports, rules);
  once('apiTokens', apiTokens, 'authenticator', http.authenticator);
  once('operatorTokens', operatorTokens, 'operatorAuthenticator', http.operatorAuthenticator);
  const handler = createHandler(marketplace, {
    authenticator: apiTokens === undefined ? 'host' : createTokenAuthenticator(apiTokens, ports),
    ...(operatorTokens !== undefined && {
      operatorAuthenticator: createOperatorAuthenticator(operatorTokens, ports),
    }),
    ...(rules.deadline !== undefined && { deadline: rules.deadline }),
    ...http,
    ...ports,
  });
  const { environment = 'by-token' } = http;
  const environments: readonly Environment[] =
    environment === 'by-token' ? ['production', 'sandbox'] : [environment];
  const swept = { marketplace, ...ports };
  return {
    marketplace,
    handler,
    ports,
    start(onFailure) {
      if (typeof onFailure !== 'function') {
        throw new TypeError('start: a function is told what fails, console.error for example');
      }
      // what it does with a failure, at once or later, is no reason to stop
      const report = (failure: WorkFailure) => {
        void (async () => onFailure(failure))().catch(() => undefined);
      };
      const stopSweeping = sweepDaily(ports.timer, swept, report);
      const stopPruning = pruneHourly(ports.timer, marketplace, report);
      const due = createRelay(marketplace).runDue({
        environments,
        // the cause of a failure does not come along by itself
        onFailure: (failure) => report({ work: 'due', ...failure, cause: failure.cause }),
      });
      const relay = createRelay(marketplace).relayWebhooks({
        environments,
        onFailure: ({ tenant, consumer, cause }) =>
          report({
            work: 'webhooks',
            ...(tenant !== undefined && { partner: tenant.partner }),
            ...(consumer !== undefined && { consumer }),
            cause,
          }),
      });
      return async () => {
        await Promise.all([stopSweeping(), stopPruning(), due.stop(), relay.stop()]);
      };
    },
    sweep: (minAge) => sweep(swept, minAge),
    prune: () => prune(ports.timer, marketplace),
  };
}

const portNames: Readonly<Record<keyof MarketplacePorts, true>> = {
  clock: true,
  timer: true,
  ids: true,
  digest: true,
  sha256: true,
  store: true,
  categories: true,
  paymentTokens: true,
  files: true,
  payments: true,
  scanner: true,
  webhooks: true,
  secrets: true,
};

const ruleNames: Readonly<Record<keyof MarketplaceOptions, true>> = {
  profile: true,
  contractorScope: true,
  stagePlanner: true,
  deadline: true,
  fileLimit: true,
  mode: true,
  feePolicy: true,
  expireV1Deals: true,
  lifecycle: true,
  sweepForGood: true,
  valueSets: true,
  descriptionLimit: true,
  keyDays: true,
};

type HandlerNames = Exclude<
  keyof HandlerOptions,
  keyof MarketplacePorts | keyof MarketplaceOptions
>;

const handlerNames: Readonly<Record<HandlerNames, true>> = {
  authenticator: true,
  operatorAuthenticator: true,
  acceptBearer: true,
  basePath: true,
  limiter: true,
  proxies: true,
  environment: true,
  versions: true,
  deprecation: true,
  corsOrigins: true,
  bodyLimit: true,
  retryAfter: true,
  tokenCacheSize: true,
  tokenCacheAge: true,
  referencePage: true,
  isReady: true,
  onRequest: true,
  onError: true,
};

const ownNames = { apiTokens: true, operatorTokens: true };

/** Throws for an option that does not exist: it would be ignored. */
function checkNames(options: DealwrightOptions): void {
  const known = { ...portNames, ...ruleNames, ...handlerNames, ...ownNames };
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const takes = Object.keys(known).join(', ');
  throw new TypeError(`createDealwright: options has no '${unknown}', it takes ${takes}`);
}

/** The options by whose they are. */
function apart(options: DealwrightOptions): {
  readonly ports: Partial<MarketplacePorts>;
  readonly marketplace: MarketplaceOptions;
  readonly handler: Partial<HandlerOptions>;
} {
  const pick = (isPicked: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(options).filter(([name, value]) => value !== undefined && isPicked(name)),
    );
  return {
    ports: pick((name) => name in portNames),
    marketplace: pick((name) => name in ruleNames),
    handler: pick((name) => name in handlerNames),
  };
}

/** Throws where two options say the same thing: one of them would be ignored. */
function once(name: string, value: unknown, other: string, otherValue: unknown): void {
  if (value === undefined || otherValue === undefined) return;
  throw new TypeError(`createDealwright: ${name} and ${other} exclude each other`);
}
