import { randomBytes } from 'node:crypto';
import { isTenant, type Tenant, type Timer } from 'dealwright/ports';
import { json, type Reply } from './token-service.js';

interface Asked {
  readonly environment: string;
  readonly partner: string;
  readonly partner_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment_token: string;
  readonly issued_at: string;
}

/** How the service writes the owner of a token. */
const nameOf = (tenant: object) => Buffer.from(JSON.stringify(tenant)).toString('base64url');

/** Reads the owner that the service has written. */
export function tenantOfKept(payment_token: string): Tenant | undefined {
  const [name = ''] = payment_token.split('~');
  try {
    const tenant: unknown = JSON.parse(Buffer.from(name, 'base64url').toString());
    return isTenant(tenant) ? tenant : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A service that keeps its tokens: it verifies tokens that it issued under `/tokens` under
 * `/tokens/verify`. A caller without a secret is refused.
 */
export function keepTokens(secret: string, timer: Timer, lifetime: number | undefined): Reply {
  const kept = new Map<string, { readonly about: string; readonly until: number }>();
  const aboutOf = ({ environment, partner, partner_id, amount, currency }: Asked) =>
    JSON.stringify([environment, partner, partner_id, amount, currency]);
  const verdictOn = (asked: Asked) => {
    const found = kept.get(asked.payment_token);
    if (found?.about !== aboutOf(asked)) return 'invalid';
    return timer.now() < found.until ? 'valid' : 'expired';
  };
  return (response, received) => {
    if (received.headers.authorization !== `Bearer ${secret}`) {
      return json(401, {})(response, received);
    }
    const asked = JSON.parse(received.body) as Asked;
    if (received.path === '/tokens/verify') {
      return json(200, { verdict: verdictOn(asked) })(response, received);
    }
    const { environment, partner } = asked;
    const payment_token = `${nameOf({ environment, partner })}~${randomBytes(24).toString('base64url')}`;
    const until = lifetime === undefined ? Infinity : timer.now() + lifetime * 1000;
    kept.set(payment_token, { about: aboutOf(asked), until });
    return json(201, { payment_token })(response, received);
  };
}
