import type { FreelancerApi } from 'dealwright';
import type { ClientFileUpload, ClientOptions, ClientUploadOptions } from 'dealwright/client';
import { freelancerRoutes } from '../wire/freelancer.js';
import { createOperations } from './operations.js';
import { readSettings } from './settings.js';

/** How a freelancer's side reaches a service: the token is the payment token of the one deal. */
export interface FreelancerClientOptions extends Omit<ClientOptions, 'token'> {
  readonly payment_token: string;
}

/** A `FreelancerApi` over HTTP, which takes what a page has: a `File`, and who is told of progress. */
export interface FreelancerClient extends Omit<FreelancerApi, 'uploadFile'> {
  uploadFile(
    upload: ClientFileUpload,
    options?: ClientUploadOptions,
  ): ReturnType<FreelancerApi['uploadFile']>;
}

/**
 * Makes the client of one offer: what `Marketplace.freelancer` gives in process, over HTTP, for the
 * page that shows a freelancer their deal. It can do nothing else, whatever the token says. Failures
 * are answered and sent again as `createClient` does it; a mistake in the options throws a
 * `TypeError`.
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
  // the rows are those of the interface, with its names, answers and errors
  return Object.fromEntries(operations) as FreelancerClient;
}
