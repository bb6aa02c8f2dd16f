import {
  type CallOptions,
  formatMoney,
  type Language,
  type Marketplace,
  type PartnerApi,
  type Tenant,
  type TransportError,
  type Unavailable,
} from 'dealwright';
import { err, type Result, ResultAsync } from 'neverthrow';
import type { DealwrightClient } from '../client/index.js';
import { readCall } from '../client/settings.js';
import { partnerRoutes } from '../wire/partner.js';
import { argumentsOf, type OperationError, type Route } from '../wire/route.js';
import { type GatewayOptions, type Wiring, wire } from './options.js';
import { failed, translate } from './translate.js';
import { forwardFile, type UploadTarget } from './upload.js';

/**
 * Makes a marketplace whose contractors and deals are kept by another service with the interface.
 * Your own checks come first: a profile, a catalogue, value sets, a limit of files. Input that
 * passes them is forwarded, in one request for each call, and the answer of the service is passed
 * on unchanged. A mistake in the options throws a `TypeError`.
 *
 * Errors of the operations are passed on, with their message in the language of the call. An error
 * of the connection becomes `unavailable`, with that error as its `cause`: 429 and an upload
 * without progress are retryable; a refused token and a response outside the interface are not.
 *
 * @example
 * ```ts
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createGateway } from 'dealwright/gateway';
 * import { strictProfile } from 'dealwright/strict';
 *
 * const tokens = new Map([['sandbox acme', 'the-token-of-acme-at-the-service']]);
 * const marketplace = createGateway({
 *   baseUrl: 'https://deals.example.com',
 *   token: ({ environment, partner }) => tokens.get(`${environment} ${partner}`),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   profile: strictProfile,
 * });
 * ```
 */
export function createGateway(options: GatewayOptions): Marketplace {
  const wiring = wire(options);
  const { checks } = wiring;
  return {
    partner: (whom) => createPartnerApi(wiring, checks.knownTenant(whom)),
    valueSets: checks.valueSets,
    descriptionLimit: checks.descriptionLimit,
    fileLimit: checks.fileLimit,
    hasTokenLists: checks.hasTokenLists,
  };
}

/** The options of a call, each read once. */
type Said = CallOptions & { readonly language: Language };

type PassOn = (
  ...given: readonly unknown[]
) => ResultAsync<unknown, OperationError | TransportError>;

/** The operations that the gateway does not just pass on. */
const ownOperations = {
  registerContractor: true,
  createDeal: true,
  createDealV2: true,
  propose: true,
  listCategories: true,
  listTokens: true,
  retrievePromises: true,
  uploadFile: true,
} as const satisfies Partial<Record<keyof PartnerApi, true>>;

type OwnOperation = keyof typeof ownOperations;

function createPartnerApi(wiring: Wiring, tenant: Tenant) {
  const { checks, settings, connect } = wiring;
  /** Never rejects, even if a port does. */
  const forward = <T, E extends OperationError>(
    route: Route,
    given: CallOptions | undefined,
    send: (
      service: DealwrightClient,
      said: Said,
    ) => PromiseLike<Result<T, E | TransportError | Unavailable>>,
  ): ResultAsync<T, E | Unavailable> => {
    const { language, key } = readCall(settings, route, given);
    const said = { language, ...(key === undefined ? {} : { idempotencyKey: key }) } as Said;
    const answer = async (): Promise<Result<T, E | Unavailable>> => {
      const service = connect(tenant);
      if (service === undefined) return err(failed(language, 'the tenant has no token of its own'));
      try {
        const result = await send(service, said);
        return result.mapErr((error) => translate<E | Unavailable>(error, route, language));
      } catch (cause) {
        return err(failed(language, cause, 'unknown'));
      }
    };
    return new ResultAsync(answer());
  };
  /** An operation that only the service can judge: its answer is the answer of the call. */
  const passOn = (route: Route) => {
    const count = argumentsOf(route);
    return (...given: readonly unknown[]) =>
      forward(route, given[count] as CallOptions | undefined, (service, said) => {
        const pass = service[route.operation as keyof DealwrightClient] as PassOn;
        const args = Array.from({ length: count }, (_, at) => given[at]);
        return pass(...args, said);
      });
  };
  const passedOn = Object.values(partnerRoutes)
    .filter(({ operation }) => !(operation in ownOperations))
    .map((route) => [route.operation, passOn(route)]);

  return {
    // the rows are those of the interface, with its names, answers and errors
    ...(Object.fromEntries(passedOn) as Omit<PartnerApi<never>, OwnOperation>),
    listCategories: (given) => checks.listCategories(tenant, given),
    listTokens: (given) => checks.listTokens(tenant, given),
    retrievePromises: (given) =>
      forward(partnerRoutes.retrievePromises, given, async (service, said) =>
        (await service.retrievePromises(said)).map(checks.narrowPromises),
      ),
    registerContractor: (input, given) =>
      forward(partnerRoutes.registerContractor, given, async (service, said) => {
        const parsed = await checks.parseContractor(tenant, input, said);
        return parsed.asyncAndThen((contractor) => service.registerContractor(contractor, said));
      }),
    createDeal: (input, given) =>
      forward(partnerRoutes.createDeal, given, async (service, said) => {
        const parsed = await checks.parseDeal(tenant, input, said);
        return parsed.asyncAndThen(({ budget, ...terms }) =>
          service.createDeal({ ...terms, budget: formatMoney(budget) }, said),
        );
      }),
    createDealV2: (input, given) =>
      forward(partnerRoutes.createDealV2, given, async (service, said) => {
        const parsed = await checks.parseDealV2(tenant, input, said);
        return parsed.asyncAndThen(({ amount, ...terms }) =>
          service.createDealV2({ ...terms, amount: formatMoney(amount) }, said),
        );
      }),
    propose: (partner_id, input, given) =>
      forward(partnerRoutes.propose, given, async (service, said) => {
        const parsed = await checks.parseProposal(tenant, input, said);
        return parsed.asyncAndThen((proposal) => service.propose(partner_id, proposal, said));
      }),
    uploadFile: (deal, file, given) =>
      forward(partnerRoutes.uploadFile, given, (service, said) => {
        const upload: UploadTarget['upload'] = (each, call) => service.uploadFile(deal, each, call);
        const { id, partner_id } = Object(deal);
        const find = () =>
          partner_id === undefined
            ? service.retrieveDeal(id, said)
            : service.retrieveDealDetails(partner_id, said);
        return forwardFile({ upload, find }, file, said, wiring);
      }),
  } satisfies PartnerApi<never>;
}
