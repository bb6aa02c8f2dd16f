import { createDealwright } from 'dealwright/host';
import { apiTokens } from './users.ts';

/** The deals of this Worker, in its memory: they are lost with it. */
export const dealwright = createDealwright({
  basePath: '/deals',
  apiTokens,
  onError: ({ request_id, code, cause }) => console.error(request_id, code, cause),
});
