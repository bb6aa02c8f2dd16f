import {
  type FreelancerApi,
  isTenant,
  type OperatorApi,
  type OperatorDeals,
  type SandboxApi,
} from 'dealwright';
import type { ClientFileUpload, ClientOptions, ClientUploadOptions } from 'dealwright/client';
import { checkOptions } from 'dealwright/ports';
import { freelancerRoutes } from '../wire/freelancer.js';
import { operatorRoutes } from '../wire/operator.js';
import type { Route } from '../wire/route.js';
import { sandboxRoutes } from '../wire/sandbox.js';
import { createOperations } from './operations.js';
import { readSettings } from './settings.js';

/** The options of a freelancer's client: its token is the payment token of the one deal. */
export interface FreelancerClientOptions extends Omit<ClientOptions, 'token'> {
  readonly payment_token: string;
}

/** A `FreelancerApi` over HTTP; an upload also takes a `File` of a page, and `onProgress`. */
export interface FreelancerClient extends Omit<FreelancerApi, 'uploadFile'> {
  uploadFile(
    upload: ClientFileUpload,
    options?: ClientUploadOptions,
  ): ReturnType<FreelancerApi['uploadFile']>;
}

/**
 * Makes the client of one freelancer's deal: `Marketplace.freelancer` over HTTP, for the page that
 * shows a freelancer the deal. With any token, it can do nothing else. Failures and retries are
 * those of `createClient`; a mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createFreelancerClient } from 'dealwright/client';
 *
 * const offer = createFreelancerClient({
 *   baseUrl: 'http://127.0.0.1:8787',
 *   payment_token: 'the-payment-token-of-the-link',
 * });
 * const seen = await offer.view();
 * if (seen.isOk() && seen.value.status === 'created') await offer.accept();
 * ```
 */
export function createFreelancerClient({
  payment_token,
  ...options
}: FreelancerClientOptions): FreelancerClient {
  const settings = readSettings(
    { ...options, token: payment_token },
    'createFreelancerClient',
    'Offer',
  );
  const operation = createOperations(settings);
  const operations = Object.values(freelancerRoutes).map((row) => [row.operation, operation(row)]);
  // the routes are those of the interface, with its names, answers and errors
  return Object.fromEntries(operations) as FreelancerClient;
}

/**
 * Makes the client of an operator: `Marketplace.operator` over HTTP. The token decides the
 * environment. Failures and retries are those of `createClient`; a mistake in the options throws a
 * `TypeError`.
 *
 * @example
 * ```ts
 * import { createOperatorClient } from 'dealwright/client';
 *
 * const operator = createOperatorClient({
 *   baseUrl: 'http://127.0.0.1:8787',
 *   token: 'the-token-of-an-operator',
 * });
 * const ended = await operator.partner('acme').resolve('order-1', { agreed_amount: '250.00' });
 * if (ended.isErr()) console.error(ended.error.code);
 * ```
 */
export function createOperatorClient(options: ClientOptions): OperatorApi {
  const operation = createOperations(readSettings(options, 'createOperatorClient', 'Operator'));
  const { listDeals, searchDeals, summarize, listFailing } = operatorRoutes;
  const { listUnmatchedReports, listPartners, listEvents, runTimers, runEffects } = operatorRoutes;
  const { retrievePromises } = operatorRoutes;
  const ofPartner = Object.values<Route>(operatorRoutes).filter(({ path }) =>
    path.includes('{partner}'),
  );
  // the routes are those of the interface, with its names, answers and errors
  return {
    partner(partner) {
      checkOptions('partner', {
        'the name of a partner is text of 1 to 128 characters': isTenant({
          environment: 'sandbox',
          partner,
        }),
      });
      const inPath = encodeURIComponent(partner);
      const withPartner = (path: string) =>
        // a URL drops a part that is only dots
        /^\.\.?$/.test(partner) ? undefined : path.replace('{partner}', () => inPath);
      const operations = ofPartner.map((row) => [row.operation, operation(row, withPartner)]);
      return Object.fromEntries(operations) as OperatorDeals;
    },
    listDeals: operation(listDeals) as OperatorApi['listDeals'],
    searchDeals: operation(searchDeals) as OperatorApi['searchDeals'],
    summarize: operation(summarize) as OperatorApi['summarize'],
    listFailing: operation(listFailing) as OperatorApi['listFailing'],
    listUnmatchedReports: operation(listUnmatchedReports) as OperatorApi['listUnmatchedReports'],
    listPartners: operation(listPartners) as OperatorApi['listPartners'],
    listEvents: operation(listEvents) as OperatorApi['listEvents'],
    retrievePromises: operation(retrievePromises) as OperatorApi['retrievePromises'],
    // all arguments are ignored
    runTimers: () => operation(runTimers)() as ReturnType<OperatorApi['runTimers']>,
    runEffects: () => operation(runEffects)() as ReturnType<OperatorApi['runEffects']>,
  };
}

/**
 * Makes the client of the further operations of a sandbox: the commands of every actor, and a clock
 * that can be moved (decision 6.6). A token of production gets `not_found`. Failures and retries
 * are those of `createClient`; a mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createSandboxClient } from 'dealwright/client';
 *
 * const sandbox = createSandboxClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * await sandbox.command('order-1', 'freelancer', 'accept');
 * await sandbox.advanceClock({ advance_seconds: 7 * 24 * 60 * 60 });
 * ```
 */
export function createSandboxClient(options: ClientOptions): SandboxApi {
  const operation = createOperations(readSettings(options, 'createSandboxClient'));
  const operations = Object.values(sandboxRoutes).map((row) => [row.operation, operation(row)]);
  // the routes are those of the interface, with its names, answers and errors
  return Object.fromEntries(operations) as SandboxApi;
}
