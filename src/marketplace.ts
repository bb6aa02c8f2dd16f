import type { ResultAsync } from 'neverthrow';
import type { FilesOwner, FilesSwept, Pruned } from './api/answers.js';
import type { FreelancerApi } from './api/freelancer-api.js';
import type { OperatorApi } from './api/operator-api.js';
import type { PartnerApi } from './api/partner-api.js';
import type { SandboxApi } from './api/sandbox-api.js';
import { checkPorts, checkStore } from './check-ports.js';
import { createDealQueryParser } from './domain/deals/deal-list.js';
import { createOperatorQueryParser, createSearchParser } from './domain/deals/operator-query.js';
import { nameOfPartner } from './domain/deals/partner-name.js';
import { proposalParser } from './domain/deals/profile.js';
import { createWorkFileParser, leastSweptAge } from './domain/deals/work-file.js';
import {
  createEventQueryParser,
  createPageQueryParser,
  createRedeliveryParser,
} from './domain/events/event-query.js';
import { createWebhookParser } from './domain/events/webhook-input.js';
import type { Unavailable } from './domain/input/errors.js';
import { createCommandParser } from './domain/life/command-input.js';
import { createLegal } from './domain/life/legal.js';
import type { Lifecycle } from './domain/life/rules.js';
import { minorUnits } from './domain/payments/ledger.js';
import { type Environment, knownTenant, type Tenant } from './domain/values/tenant.js';
import type { ValueSets } from './domain/values/value-sets.js';
import { createFreelancerApi } from './faces/freelancer.js';
import { createOperatorApi } from './faces/operator.js';
import { createPartnerApi } from './faces/partner.js';
import { createSandboxApi } from './faces/sandbox.js';
import { type MarketplaceOptions, promisesBy, readOptions } from './marketplace-options.js';
import { createAsk } from './ports/ask.js';
import { guardPorts } from './ports/guarded-ports.js';
import { guardStore } from './ports/guarded-store.js';
import type { MarketplacePorts } from './ports/marketplace-ports.js';
import { checkOptions } from './ports/options.js';
import type { Store } from './ports/store.js';
import { createClaims } from './usecases/claim-files.js';
import { answerQuery, type Context, type Core, core } from './usecases/context.js';
import { type Meter, metered } from './usecases/metered.js';
import { createPrune } from './usecases/prune.js';
import { createQueues, createTraffic } from './usecases/queues.js';
import { noTenant, watchWrites } from './usecases/ready.js';
import { sweepFiles } from './usecases/sweep-files.js';
import { createWakes, waking } from './usecases/wakes.js';

/** The deals back end, wired: `createHandler` serves it, wherever the deals are stored. */
export interface Marketplace {
  /**
   * The calls of this partner. Throws a `TypeError` for a value that is not a tenant. Here and below,
   * a `meter` is told what the calls have the store read and write; a gateway tells it nothing.
   */
  partner(tenant: Tenant, meter?: Meter): PartnerApi<never>;
  /**
   * The calls of the holder of a payment token, for the one deal that has it; `'by-token'` accepts
   * the tokens of both environments. A gateway has no tokens of its own.
   */
  freelancer?(
    environment: Environment | 'by-token',
    payment_token: string,
    meter?: Meter,
  ): FreelancerApi<never>;
  /** The calls of the operator, for every deal of every partner. */
  operator?(environment: Environment, meter?: Meter): OperatorApi<never>;
  /**
   * The further calls of a partner in the sandbox. Throws a `TypeError` if the value is not a
   * tenant of the sandbox.
   */
  sandbox?(tenant: Tenant, meter?: Meter): SandboxApi<never>;
  /**
   * Whether the store answers, and accepts writes: the check for a load balancer. It relies on the
   * last write, and after a failed one on a probe: a write of 64 kB, which is deleted again. A
   * probe that fails counts for 5 seconds.
   */
  ready?(): ResultAsync<void, Unavailable>;
  /** The states and commands of a deal. */
  readonly lifecycle?: Lifecycle;
  /** The sets of values that input is checked against, defaults filled in. */
  readonly valueSets: ValueSets;
  /** Characters that the description of a deal of version 2.0 may have; 20,000 without it. */
  readonly descriptionLimit?: number;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  /** Whether partners have webhooks; default `true`. */
  readonly hasWebhooks?: boolean;
  /** Whether the host lists API tokens; default `true`. */
  readonly hasTokenLists?: boolean;
}

/** A `Marketplace` that keeps its deals and files in ports of its own. */
export interface LocalMarketplace extends Required<Marketplace> {
  /**
   * Returns the store that the contents of work files belong to. Unclaimed ones become this store's
   * if there are none yet, or if a work file names one of them: from then on the file store keeps
   * the id of the store. Uploads rely on the last answer, and the first one asks: if the contents
   * belong to another store, or their owner is unknown, uploads are `unavailable`, not worth a
   * retry.
   */
  claimFiles(): ResultAsync<FilesOwner, Unavailable>;
  /**
   * Moves the contents of a tenant that no work file names to the trash: a crash during an upload
   * leaves them. `minAge` is their least age in milliseconds: two hours or more, a day by default;
   * a smaller value throws a `TypeError`. An upload is recorded within an hour or not at all, so no
   * upload under way is swept; ids must begin with real time. A content that a work file names
   * comes back from the trash; the others are deleted from it after 30 days.
   *
   * Claims the contents, as `claimFiles` does. If they belong to another store, or their owner is
   * unknown, it is `unavailable`, not worth a retry, with the cause: nothing is moved or deleted.
   * The same holds for a file store without `owner` or `trash`, and a store without `identity`,
   * unless the host has set `sweepForGood`.
   *
   * It ends early, with the result so far, once `signal` is aborted.
   */
  sweepFiles(
    tenant: Tenant,
    minAge?: number,
    signal?: { readonly aborted: boolean },
  ): ResultAsync<FilesSwept, Unavailable>;
  /**
   * Deletes expired records, at most 500 of a kind: idempotency keys of commands, and the rest of
   * deleted webhooks, also of those that earlier versions deleted. It does nothing over a store
   * without `prune`. Call it again while `isMore`, with pauses for other work; `createDealwright`
   * does it every hour.
   */
  prune(): ResultAsync<Pruned, Unavailable>;
  /**
   * The same marketplace over another store, most often this one in a transaction of yours:
   * `marketplace.within(store.within(connection))`. It shares everything except the store, so one
   * for each transaction costs microseconds. Relays are not notified of its writes: they find them
   * at their next look. Throws a `TypeError` for a store that lacks a method.
   */
  within(store: Store): Required<Marketplace>;
  /** @internal What `createRelay` works with. */
  readonly [core]: Core;
}

/**
 * Wires the use cases to their ports. A mistake in the wiring (a missing port, a deadline of 0)
 * throws a `TypeError` here, once, and not at the first request; nothing that comes from `partner`
 * ever throws.
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const marketplace = createMarketplace({
 *   ...createSystemPorts(),
 *   store: createMemoryStore(),
 *   files: createMemoryFileStore(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * });
 * const api = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
 * ```
 */
export function createMarketplace(
  ports: MarketplacePorts,
  options: MarketplaceOptions = {},
): LocalMarketplace {
  checkPorts(ports);
  const checked = readOptions(options);
  const { deadline, profile, contractorScope, stagePlanner, fileLimit, valueSets, ...life } =
    checked;
  const { lifecycle, sweepForGood, descriptionLimit, keyDays, ...terms } = life;
  const { defaultWorkDays: workDays, proposalDays, reviewNoticeDays, ...rest } = terms;
  const { tolerance, ...others } = rest;
  const { partnerName, ...creation } = others;
  const rules = profile(valueSets, descriptionLimit);
  const { ports: guarded, ready } = watchWrites(guardPorts(ports, deadline));
  const wakes = createWakes();
  // a store that announces every write announces ours
  const unseen = ports.store.watch === undefined ? waking(guarded, wakes) : guarded;
  const traffic = createTraffic(ports.timer);
  const claims = createClaims(unseen);
  const context: Context = {
    ports: unseen,
    unseen,
    atOnce: traffic.atOnce,
    timer: ports.timer,
    parseDealQuery: createDealQueryParser(),
    parseWorkFile: createWorkFileParser(),
    parseEventQuery: createEventQueryParser(),
    parsePageQuery: createPageQueryParser(),
    parseRedelivery: createRedeliveryParser(),
    parseOperatorQuery: createOperatorQueryParser(),
    parseSearch: createSearchParser(),
    parseWebhook: createWebhookParser(),
    wakes,
    claims: claims.own,
    fileLimit,
    rules,
    parseProposal: proposalParser(rules, valueSets, descriptionLimit),
    workDays,
    proposalDays,
    reviewNoticeDays,
    tolerance: minorUnits(tolerance),
    nameOf: (tenant) => nameOfPartner(partnerName, tenant),
    legal: createLegal(lifecycle),
    keyDays,
    contractorScope,
    stagePlanner,
    deadline,
    ...createTurns(),
    lifecycle,
    parseCommand: createCommandParser(lifecycle),
    creation,
    promises: promisesBy(checked, rules),
  };
  const shown = {
    valueSets,
    descriptionLimit,
    fileLimit,
    lifecycle,
    hasWebhooks: guarded.webhooks !== undefined,
    hasTokenLists: guarded.listTokens !== undefined,
  };
  const ask = createAsk(ports.timer, deadline);
  const pruneBatch = createPrune(context);
  return {
    ...facesOf({ ...context, ports: traffic.seeing(unseen) }),
    ...shown,
    ready: () => answerQuery(noTenant, undefined, ready),
    within(store) {
      checkStore(store);
      const own = { ...guarded, ...guardStore(store, ask) };
      return {
        ...shown,
        ...facesOf({
          ...context,
          ports: own,
          unseen: own,
          // no relay is woken before the transaction is committed
          wakes: createWakes(),
          claims: claims.within,
          // a call that waits for the transaction would block the next one within it
          ...createTurns(),
        }),
      };
    },
    [core]: { context, watch: ports.store.watch?.bind(ports.store) },
    claimFiles: () => answerQuery(noTenant, undefined, claims.own.ask),
    prune: () => answerQuery(noTenant, undefined, pruneBatch),
    sweepFiles(tenant, minAge = 24 * 60 * 60 * 1000, signal) {
      checkOptions('sweepFiles', {
        [`minAge is ${leastSweptAge} milliseconds or more`]: minAge >= leastSweptAge,
      });
      return answerQuery(knownTenant(tenant), undefined, (call) =>
        sweepFiles(context, call, minAge, sweepForGood, signal),
      );
    },
  };
}

/** The calls of each kind of caller, over the ports of a context. */
function facesOf(
  context: Context,
): Pick<LocalMarketplace, 'partner' | 'freelancer' | 'operator' | 'sandbox' | 'ready'> {
  const by = (meter: Meter | undefined): Context =>
    meter === undefined
      ? context
      : { ...context, ports: metered(context.ports, context.timer, meter) };
  return {
    partner: (tenant, meter) => createPartnerApi(by(meter), knownTenant(tenant)),
    freelancer: (environment, payment_token, meter) =>
      createFreelancerApi(by(meter), environment, payment_token),
    operator: (environment, meter) => createOperatorApi(by(meter), environment),
    sandbox(tenant, meter) {
      const own = knownTenant(tenant);
      checkOptions('sandbox', {
        'the tenant is one of the environment sandbox': own.environment === 'sandbox',
      });
      return createSandboxApi(by(meter), own);
    },
    ready: () =>
      answerQuery(noTenant, undefined, async () =>
        (await context.ports.dealById(noTenant, 1, [])).map(() => undefined),
      ),
  };
}

/** How many uploads of one deal run at once in a process; the others wait their turn. */
const uploadsAtOnce = 16;

const createTurns = () => ({ uploads: createQueues(uploadsAtOnce), commands: createQueues(1) });
