import type { Tenant } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import type { Handler } from 'dealwright/http';
import { ok } from 'neverthrow';

/**
 * Replaces `deals.ts` in a project that the matrix runs. Each case of the contract needs an empty
 * service, so each gets one, in memory. The API token names the case, as in
 * `Token case-7.sandbox.acme`. A request without a token belongs to the case `users`.
 */
const services = new Map<string, Handler>();

function createService(name: string): Handler {
  const { handler } = createDealwright({
    basePath: '/deals',
    // less than by default, so that a too large file is quickly made
    ...(name.startsWith('case') && { fileLimit: 64 * 1024 }),
    authenticator: { authenticate: (token) => ok(tenantOf(token)) },
  });
  return handler;
}

function tenantOf(token: string): Tenant | undefined {
  const [, environment, partner] = token.split('.');
  if (environment !== 'sandbox' && environment !== 'production') return undefined;
  return partner === undefined ? undefined : { environment, partner };
}

const handler: Handler = {
  handle(request) {
    const [, name = 'users'] =
      /^Token ([\w-]+)\./.exec(request.header('authorization') ?? '') ?? [];
    const service = services.get(name) ?? createService(name);
    services.set(name, service);
    return service.handle(request);
  },
};

export const dealwright = { handler };
