import { createDealwright } from 'dealwright/host';

/**
 * Replaces `deals.ts` in a project that the matrix runs: a service in memory, whose tokens the
 * matrix knows.
 */
export const dealwright = createDealwright({
  basePath: '/deals',
  apiTokens: ['acme', 'globex'].map((partner) => [
    `token-of-${partner}`,
    { environment: 'sandbox', partner },
  ]),
  operatorTokens: [['token-of-the-operator', 'sandbox']],
});
