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
import type { Mailer } from 'dealwright/mail';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createPages } from 'dealwright/pages';
import { createSandboxGateway } from 'dealwright/payments';
import { checkOptions, type MarketplacePorts, onlyNames } from 'dealwright/ports';
import { createRelay, type RelayFailure } from 'dealwright/relay';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { prune } from './prune.js';
import { repeat, type WorkFailure } from './repeat.js';
import { sweep } from './sweep.js';

/**
 * The options of `createMarketplace` and `createHandler`, all of them optional. An option that both
 * have (`deadline`) applies to both.
 */
export interface DealwrightOptions
  extends Partial<MarketplacePorts>,
    MarketplaceOptions,
    Partial<Omit<HandlerOptions, keyof MarketplacePorts | keyof MarketplaceOptions>> {
  /** The API tokens of partners, in place of an `authenticator`. */
  readonly apiTokens?: Iterable<readonly [token: string, tenant: Tenant, name?: string]>;
  /** The tokens of operators, in place of an `operatorAuthenticator`. */
  readonly operatorTokens?: Iterable<readonly [token: string, environment: Environment]>;
  /** Tells people by mail what happens to their deals: `createMailer` of `dealwright/mail`. */
  readonly mail?: Pick<Mailer, 'start'>;
}

/** A complete deals back end. */
export interface Dealwright {
  readonly marketplace: LocalMarketplace;
  /** The handler that `createNodeListener` and `createFetchHandler` mount. */
  readonly handler: Handler;
  /** All its ports, including the defaults. */
  readonly ports: MarketplacePorts;
  /**
   * Starts the work that no request does: due deadlines and payments, every second; posts to
   * webhooks, if there are `webhooks` and `secrets`; messages of `mail`; pruning, every hour; and
   * once a day a sweep of what killed uploads have left. Returns a function that stops it, and
   * resolves once no work is under way. Run it in one process or in many: due work is done once.
   */
  start(onFailure: (failure: WorkFailure) => unknown): () => Promise<void>;
  /**
   * One such sweep, of files that are `minAge` milliseconds old: two hours or more, a day by
   * default. A smaller value is `unavailable`, not worth a retry, once a tenant or a folder of
   * files is swept. So are files of another store, and ports without an owner of the files
   * (`marketplace.sweepFiles`).
   */
  sweep(minAge?: number): ReturnType<typeof sweep>;
  /**
   * Deletes all expired records, in batches, and returns how many: idempotency keys of commands,
   * and the rest of deleted webhooks. `start` does it every hour.
   */
  prune(): ReturnType<typeof prune>;
}

const hour = 60 * 60 * 1000;

/**
 * Wires a deals back end in one call. Without options it keeps everything in memory: for a first
 * try and for tests. Each part can be replaced: the ports (`store`, `files`, `paymentTokens`,
 * `payments`, ...), the options of `createMarketplace`, those of `createHandler`. The pages for people
 * are mounted, unless `pages` is `{}`. Without `apiTokens` and `authenticator`, only `resolveCaller`
 * of the listener identifies callers.
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
  const { apiTokens, operatorTokens, mail, ...given } = Object(options) as DealwrightOptions;
  const { ports: own, marketplace: rules, handler: http } = apart(given);
  checkOptions('createDealwright', {
    ...onlyNames('options', options, names),
    'apiTokens and authenticator exclude each other':
      apiTokens === undefined || own.authenticator === undefined,
    'operatorTokens and operatorAuthenticator exclude each other':
      operatorTokens === undefined || http.operatorAuthenticator === undefined,
    'mail is what createMailer makes': mail === undefined || typeof mail?.start === 'function',
  });
  const others: MarketplacePorts = {
    ...createSystemPorts(),
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
    // it executes nothing in production: there the operator pays, and reports it
    payments: createSandboxGateway(),
    ...own,
  };
  const { authenticator = 'host' } = others;
  const ports = {
    ...others,
    authenticator:
      apiTokens === undefined ? authenticator : createTokenAuthenticator(apiTokens, others),
  };
  const marketplace = createMarketplace(ports, rules);
  const handler = createHandler(marketplace, {
    ...(operatorTokens !== undefined && {
      operatorAuthenticator: createOperatorAuthenticator(operatorTokens, ports),
    }),
    ...(rules.deadline !== undefined && { deadline: rules.deadline }),
    pages: createPages(),
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
      checkOptions('start', {
        'onFailure is a function, console.error for example': typeof onFailure === 'function',
      });
      // a failing `onFailure`, at once or later, is no reason to stop
      const report = (failure: WorkFailure) => {
        void (async () => onFailure(failure))().catch(() => undefined);
      };
      const { timer } = ports;
      const sweeping = (signal: AbortSignal) => sweep(swept, undefined, signal);
      const stopSweeping = repeat({ timer, pause: 24 * hour }, 'sweep', sweeping, report);
      const pruning = (signal: AbortSignal) => prune(timer, marketplace, signal);
      const stopPruning = repeat({ timer, pause: hour }, 'prune', pruning, report);
      const due = createRelay(marketplace).runDue({
        environments,
        // a spread does not copy the cause of a failure
        onFailure: (failure) => report({ work: 'due', ...failure, cause: failure.cause }),
      });
      const relaying = (work: WorkFailure['work']) => ({
        environments,
        onFailure: ({ tenant, ...failure }: RelayFailure) =>
          report({ work, ...(tenant !== undefined && { partner: tenant.partner }), ...failure }),
      });
      const relay = createRelay(marketplace).relayWebhooks(relaying('webhooks'));
      const mailing = mail?.start(marketplace, relaying('mail'));
      return async () => {
        await Promise.all([
          stopSweeping(),
          stopPruning(),
          due.stop(),
          relay.stop(),
          mailing?.stop(),
        ]);
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
  authenticator: true,
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
  defaultWorkDays: true,
  proposalDays: true,
  expiryNoticeDays: true,
  reviewNoticeDays: true,
  tolerance: true,
  partnerName: true,
};

type HandlerNames = Exclude<
  keyof HandlerOptions,
  keyof MarketplacePorts | keyof MarketplaceOptions
>;

const handlerNames: Readonly<Record<HandlerNames, true>> = {
  operatorAuthenticator: true,
  acceptBearer: true,
  basePath: true,
  limiter: true,
  proxies: true,
  environment: true,
  versions: true,
  deprecation: true,
  corsOrigins: true,
  corsHeaders: true,
  bodyLimit: true,
  retryAfter: true,
  tokenCacheSize: true,
  tokenCacheAge: true,
  referencePage: true,
  pages: true,
  isReady: true,
  onRequest: true,
  onError: true,
};

const names = Object.keys({
  ...{ ...portNames, ...ruleNames, ...handlerNames },
  ...{ apiTokens: true, operatorTokens: true, mail: true },
});

/** The options, grouped by the function they belong to. */
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
