import { createDealwright } from 'dealwright/host';
import { createReferencePage } from 'dealwright/reference';
import { announce } from './announce.ts';
import { openStore } from './store.ts';
import { apiTokens } from './users.ts';

/** The deals of this server, all below `/deals`. */
export const dealwright = createDealwright({
  ...(await openStore()),
  basePath: '/deals',
  apiTokens,
  referencePage: createReferencePage(),
  onError: ({ request_id, code, cause }) => console.error(request_id, code, cause),
});

// from now on it does the due work: deadlines, invitations, payments
const stop = dealwright.start((failure) => console.error('not done:', failure));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stop().then(() => process.exit());
  });
}

announce();
