import type { FreelancerApi } from 'dealwright';
import type { ClientFileUpload, ClientOptions, ClientUploadOptions } from 'dealwright/client';
import { freelancerRoutes } from '../wire/freelancer.js';
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
