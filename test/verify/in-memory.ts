import { randomBytes } from 'node:crypto';
import { createDealwright, type Dealwright, type DealwrightOptions } from 'dealwright/host';
import { createFetchHandler } from 'dealwright/http';
import type { VerifyOptions } from 'dealwright/verify';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';

/** The partners that `verify` speaks for. */
export const apiTokens = {
  'sandbox-acme': { environment: 'sandbox', partner: 'acme' },
  'sandbox-globex': { environment: 'sandbox', partner: 'globex' },
} as const;

/** A service in memory, and the options of `verify` that judge it without a network. */
export function createInMemory(options: DealwrightOptions = {}): {
  readonly dealwright: Dealwright;
  readonly options: VerifyOptions;
} {
  const dealwright = createDealwright({
    apiTokens: Object.entries(apiTokens),
    operatorTokens: [['sandbox-operator', 'sandbox']],
    webhooks: createWebhookSender(),
    secrets: createSealedSecrets({ k1: randomBytes(32).toString('base64url') }),
    deprecation: {
      since: new Date('2026-01-01'),
      sunset: new Date('2027-01-01'),
      guide: 'https://deals.example.com/migration',
    },
    ...options,
  });
  const { basePath = '' } = options;
  const handle = createFetchHandler(dealwright.handler);
  return {
    dealwright,
    options: {
      baseUrl: `https://deals.example.com${basePath}`,
      token: 'sandbox-acme',
      partner: 'acme',
      otherToken: 'sandbox-globex',
      operatorToken: 'sandbox-operator',
      rate: 1e6,
      receiver: false,
      fetch: async (input, init) => handle(new Request(input, init)),
    },
  };
}

/** The same for a service that does nothing between requests: it posts no webhooks. */
export const inMemory = (options: DealwrightOptions = {}): VerifyOptions =>
  createInMemory(options).options;
