import type { FreelancerEvent, FreelancerView } from 'dealwright';
import { createFreelancerClient, type FreelancerClient } from 'dealwright/client';
import { createDealView } from '../base/deal-view.js';
import { inLanguage, suggestLanguage } from '../base/language.js';
import type { Decision } from '../base/proposed.js';
import type { Target } from '../base/uploads.js';
import { takeToken } from './token.js';

export interface Opened {
  readonly name: 'accept' | 'decline' | 'dispute' | 'propose' | 'settle' | Decision;
}

/** The pages lie below the path of the service. */
const baseUrl = new URL('..', location.href).href;

export const token = takeToken();

/** The client of the deal; with a `fetch` of its own for an upload. */
function clientOf(
  more: Pick<Parameters<typeof createFreelancerClient>[0], 'fetch'>,
): FreelancerClient | undefined {
  try {
    return createFreelancerClient({ ...more, baseUrl, payment_token: token ?? '' });
  } catch {
    // a link that was cut off or changed on its way
    return undefined;
  }
}

const open = (client: FreelancerClient) => ({
  client,
  ...createDealView<FreelancerView, FreelancerEvent, Opened>(
    () =>
      client.view(inLanguage()).map((deal) => {
        suggestLanguage(deal.freelancer_language ?? undefined);
        return deal;
      }),
    (query) => client.listEvents(query, inLanguage()),
  ),
});

export type View = ReturnType<typeof open>;

const client = clientOf({});

/** The deal of the link, if it can be one. */
export const view: View | undefined = client && open(client);

export interface Shown extends NonNullable<View['seen']['value']> {
  readonly view: View;
}

export const targetOf = ({ deal, view }: Shown): Target => ({
  limit: deal.max_file_size,
  send: (fetch, upload, options) => clientOf({ fetch })?.uploadFile(upload, options),
  load: view.load,
});
