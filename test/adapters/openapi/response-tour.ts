import { createMarketplace } from 'dealwright';
import type { HandlerOptions, HttpResponse } from 'dealwright/http';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { err, ok } from 'neverthrow';
import { expect } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import type { Face, Route } from '../../../adapters/http/wire/route.js';
import { createResponseCheck } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { handlerOver, operators, operatorToken, tokenOf } from '../../kit/service.js';
import { guarded, type OtherIds, targetOf } from './command-steps.js';

export const acme = { environment: 'sandbox', partner: 'acme' } as const;
export const routes = allRoutes();
const deprecation = { since: new Date(0), sunset: new Date(0), guide: 'https://example.com/' };

export interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the connection ends before the body does. */
  readonly isCutOff?: boolean;
  /** A header to leave out that most requests have. */
  readonly without?: 'authorization' | 'content-type';
}

/** The deal that a request is about. */
export interface Place extends OtherIds {
  readonly partner_id: string;
  readonly payment_token?: string;
}

/** A service of every face, whose answers are checked against its document. */
export function createTourService(
  options: Partial<HandlerOptions> = {},
  ports = createTourPorts(),
) {
  const marketplace = createMarketplace(ports, { lifecycle: guarded });
  const handler = handlerOver(marketplace, {
    deprecation,
    operatorAuthenticator: operators,
    ...options,
  });

  function ask(route: Route, place: Place, sent: Sent = {}): Promise<HttpResponse> {
    const { body = '', without } = sent;
    const credentials: Readonly<Record<Face, string>> = {
      partner: `Token ${tokenOf(acme)}`,
      sandbox: `Token ${tokenOf(acme)}`,
      freelancer: `Offer ${place.payment_token}`,
      operator: `Operator ${operatorToken}`,
    };
    const all: Readonly<Record<string, string | undefined>> = {
      authorization: credentials[route.face],
      'content-type': 'application/json',
      ...sent.headers,
      ...(without && { [without]: undefined }),
    };
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    return handler.handle({
      method: sent.method ?? route.method,
      target: sent.target ?? targetOf(route, place.partner_id, place),
      header: (each) => all[each],
      body: async (limit) => {
        if (sent.isCutOff) return 'aborted';
        return bytes.length > limit ? 'too_large' : bytes;
      },
      async *stream() {
        yield bytes;
      },
    });
  }

  return { ports, marketplace, handler, ask };
}

export function createTourPorts() {
  const ports = createPorts();
  const clock = { now: () => ports.timer.now() };
  return { ...ports, clock, paymentTokens: createOpaqueTokenIssuer() };
}

/** Checks answers against the document, and remembers the codes of each route. */
export async function createWitness(service: ReturnType<typeof createTourService>) {
  const check = await createResponseCheck(service.handler);
  const seen = new Map<string, Set<string>>();
  return {
    seen,
    hold(name: string, response: HttpResponse): string {
      const { status, body } = response;
      expect([name, status, check(name, response)]).toEqual([name, status, []]);
      const told = JSON.parse(typeof body === 'string' ? body : '{}');
      const code = String(told.code ?? status);
      seen.set(name, (seen.get(name) ?? new Set()).add(code));
      return code;
    },
  };
}

const broken = { code: 'unavailable', outcome: 'none', retryable: true } as const;

const refuse = () => ok({ allowed: false, retryAfter: 3 } as const);

/** Requests for every answer that all routes have. */
export const common: readonly (readonly [string, Partial<HandlerOptions>, Sent])[] = [
  ['unauthorized', {}, { without: 'authorization' }],
  ['not_found', { versions: { production: [], sandbox: [] } }, {}],
  ['method_not_allowed', {}, { method: 'PUT' }],
  ['rate_limited', { limiter: { take: refuse, takeOther: refuse } }, {}],
  [
    'internal',
    {
      authenticator: { authenticate: () => ok(Object('nobody')) },
      operatorAuthenticator: { authenticate: () => ok(Object('nowhere')) },
    },
    {},
  ],
  [
    'unavailable',
    {
      authenticator: { authenticate: () => err(broken) },
      operatorAuthenticator: { authenticate: () => err(broken) },
    },
    {},
  ],
];

/** Ports that fail a freelancer, whose token is not judged by an authenticator. */
export function failingPorts(code: string) {
  const ports = createTourPorts();
  const tenantOf = (): undefined => {
    if (code === 'unavailable') throw new Error('down');
    return code === 'internal' ? Object('nobody') : undefined;
  };
  const isFailing = code === 'unavailable' || code === 'internal';
  return isFailing ? { ...ports, paymentTokens: { ...ports.paymentTokens, tenantOf } } : ports;
}

/** Bodies, and the codes of their refusals. */
export const ofBodies: readonly (readonly [string, Sent])[] = [
  ['invalid_json', { body: '{' }],
  ['incomplete_body', { body: '{', isCutOff: true }],
  ['validation_failed', { body: { reason: '' } }],
  ['invalid_idempotency_key', { headers: { 'idempotency-key': 'two words' } }],
  ['payload_too_large', { body: `"${'a'.repeat(2 ** 20)}"` }],
  ['unsupported_media_type', { without: 'content-type' }],
];
