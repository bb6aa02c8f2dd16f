import { ok, type ResultAsync } from 'neverthrow';
import type { CategoryListEntry, ServicePromises } from '../api/answers.js';
import type { CallOptions, ReadOptions } from '../api/inputs.js';
import type { Contractor } from '../domain/deals/contractor.js';
import type { DealTerms } from '../domain/deals/deal.js';
import type { DealV2Terms } from '../domain/deals/deal-v2.js';
import { proposalParser } from '../domain/deals/profile.js';
import { type ProposalInput, shownChanges } from '../domain/deals/proposal-input.js';
import {
  type InvalidIdempotencyKey,
  type ListTokensError,
  type PayloadTooLarge,
  type Unavailable,
  type ValidationFailed,
  validationFailed,
} from '../domain/input/errors.js';
import type { Language } from '../domain/input/messages.js';
import { inWords } from '../domain/input/messages.js';
import type { ApiToken } from '../domain/values/api-token.js';
import { knownTenant, type Tenant } from '../domain/values/tenant.js';
import type { ValueSets } from '../domain/values/value-sets.js';
import { type MarketplaceOptions, readOptions } from '../marketplace-options.js';
import { createAsk } from '../ports/ask.js';
import { guardCatalogue, guardTokens } from '../ports/guarded-ports.js';
import type { MarketplacePorts } from '../ports/marketplace-ports.js';
import { parseClassified } from '../usecases/classify.js';
import { answerCommand, answerQuery } from '../usecases/context.js';
import { listCategories } from '../usecases/list-categories.js';
import { listTokens } from '../usecases/list-tokens.js';
import { piecesOf, watch } from '../usecases/receive-file.js';

/** The errors of input that are checked before anything else. */
type Refusal = InvalidIdempotencyKey | ValidationFailed;

/** A content that is checked while it is read. */
export interface CheckedContent {
  /** Throws at the piece that breaks a rule. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The error that the content caused, once it was read. */
  refusal(language: Language): PayloadTooLarge | ValidationFailed | undefined;
}

/** The checks in front of a service: key, rules and catalogue, in this order. */
export interface InputChecks {
  readonly valueSets: ValueSets;
  readonly descriptionLimit: number;
  readonly fileLimit: number;
  /** The tenant without other members of its object. Throws a `TypeError` if it is not a tenant. */
  knownTenant(whom: Tenant): Tenant;
  parseContractor(
    tenant: Tenant,
    input: unknown,
    options?: CallOptions,
  ): ResultAsync<Contractor, Refusal | Unavailable>;
  parseDeal(
    tenant: Tenant,
    input: unknown,
    options?: CallOptions,
  ): ResultAsync<DealTerms, Refusal | Unavailable>;
  parseDealV2(
    tenant: Tenant,
    input: unknown,
    options?: CallOptions,
  ): ResultAsync<DealV2Terms, Refusal | Unavailable>;
  /** The proposal in its one form. */
  parseProposal(
    tenant: Tenant,
    input: unknown,
    options?: CallOptions,
  ): ResultAsync<ProposalInput, Refusal | Unavailable>;
  listCategories(
    tenant: Tenant,
    options?: CallOptions,
  ): ResultAsync<readonly CategoryListEntry[], Unavailable>;
  /** Whether `listTokens` has a list to read. */
  readonly hasTokenLists: boolean;
  listTokens(
    tenant: Tenant,
    options?: ReadOptions,
  ): ResultAsync<readonly ApiToken[], ListTokensError>;
  /** What a service promises to callers who pass these checks first (decision 11.5). */
  narrowPromises(promises: ServicePromises): ServicePromises;
  /** `undefined` if it is not a `FileContent`. */
  checkContent(content: unknown): CheckedContent | undefined;
}

/**
 * Makes the checks of `createMarketplace` without its store: for a `Marketplace` whose deals
 * another service keeps. Options and defaults are those of `createMarketplace`.
 *
 * @example
 * ```ts
 * import { createInputChecks } from 'dealwright/checks';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const categories = createCategoryCatalogue(defaultCategoryTree);
 * const checks = createInputChecks({ categories, timer: createSystemTimer() });
 * const tenant = { environment: 'sandbox', partner: 'acme' } as const;
 * const parsed = await checks.parseDeal(tenant, { partner_id: '' });
 * parsed.isErr(); // true: every problem is in error.errors
 * ```
 */
export function createInputChecks(
  ports: Pick<MarketplacePorts, 'categories' | 'timer' | 'authenticator'>,
  options: Pick<
    MarketplaceOptions,
    'profile' | 'valueSets' | 'descriptionLimit' | 'fileLimit' | 'deadline'
  > = {},
): InputChecks {
  const { profile, valueSets, descriptionLimit, fileLimit, deadline } = readOptions(
    options,
    'createInputChecks',
  );
  const rules = profile(valueSets, descriptionLimit);
  const { parseContractor, parseDeal, parseDealV2 } = rules;
  const parseProposal = proposalParser(rules, valueSets, descriptionLimit);
  const tokens = guardTokens(ports, createAsk(ports.timer, deadline));
  const context = {
    ports: { ...guardCatalogue(ports.categories, ports.timer, deadline), listTokens: tokens },
  };
  return {
    valueSets,
    descriptionLimit,
    fileLimit,
    knownTenant,
    parseContractor: (tenant, input, said) =>
      answerCommand(tenant, said, async () =>
        parseContractor(input).mapErr((findings) => validationFailed(...findings)),
      ),
    parseDeal: (tenant, input, said) =>
      answerCommand(tenant, said, (call) =>
        parseClassified(context, call, input, parseDeal, 'sub_category_id'),
      ),
    parseDealV2: (tenant, input, said) =>
      answerCommand(tenant, said, (call) =>
        parseClassified(context, call, input, parseDealV2, 'subcategory_id'),
      ),
    parseProposal: (tenant, input, said) =>
      answerCommand(tenant, said, async () =>
        parseProposal(input)
          .map((proposal) => ({ ...proposal, changes: shownChanges(proposal) }) as ProposalInput)
          .mapErr((findings) => validationFailed(...findings)),
      ),
    listCategories: (tenant, said) =>
      answerQuery(tenant, said, (call) => listCategories(context, call)),
    hasTokenLists: tokens !== undefined,
    listTokens: (tenant, said) => answerQuery(tenant, said, (call) => listTokens(context, call)),
    narrowPromises: (promises) => ({
      ...promises,
      copyright_transfer: both(promises.copyright_transfer, valueSets.copyright_transfer),
      freelancer_language: both(promises.freelancer_language, valueSets.freelancer_language),
      ...(rules.currencies && { currencies: both(promises.currencies, rules.currencies) }),
      profile: rules.name === 'interface' ? promises.profile : (rules.name ?? 'own'),
      max_file_size: Math.min(promises.max_file_size, fileLimit),
      max_description: Math.min(promises.max_description, descriptionLimit),
    }),
    checkContent(content) {
      const found = piecesOf(content);
      if (found.isErr()) return undefined;
      const { pieces, problem } = watch(found.value, fileLimit, noHash);
      return {
        pieces,
        refusal(language) {
          const broken = problem();
          if (broken === undefined) return undefined;
          return broken === 'too_large'
            ? inWords({ code: 'payload_too_large', max_bytes: fileLimit }, language)
            : inWords(validationFailed(broken), language);
        },
      };
    },
  };
}

/** The values that both sides take; without a list a side takes all. */
const both = (theirs: readonly string[] | undefined, ours: readonly string[]) =>
  theirs === undefined ? ours : theirs.filter((each) => ours.includes(each));

/** The service that stores the content makes its digest. */
const noHash = { update: () => undefined, end: () => ok('') };
