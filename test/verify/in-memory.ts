import { createDealwright, type DealwrightOptions } from 'dealwright/host';
import { createFetchHandler } from 'dealwright/http';
import type { VerifyOptions } from 'dealwright/verify';

const tokens = {
  'sandbox-acme': { environment: 'sandbox', partner: 'acme' },
  'sandbox-globex': { environment: 'sandbox', partner: 'globex' },
} as const;

/** The options of `verify` for a service in memory, without a network. */
export function inMemory(options: DealwrightOptions = {}): VerifyOptions {
  const { handler } = createDealwright({
    apiTokens: Object.entries(tokens),
    operatorTokens: [['sandbox-operator', 'sandbox']],
    deprecation: {
      since: new Date('2026-01-01'),
      sunset: new Date('2027-01-01'),
      guide: 'https://deals.example.com/migration',
    },
    ...options,
  });
  const handle = createFetchHandler(handler);
  return {
    baseUrl: 'https://deals.example.com',
    token: 'sandbox-acme',
    partner: 'acme',
    otherToken: 'sandbox-globex',
    operatorToken: 'sandbox-operator',
    rate: 1e6,
    fetch: async (input, init) => handle(new Request(input, init)),
  };
}
