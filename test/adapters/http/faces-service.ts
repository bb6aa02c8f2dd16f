import { createMarketplace, type Environment, type Marketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createHandler, type Handler, type HandlerOptions } from 'dealwright/http';
import { createSandboxGateway } from 'dealwright/payments';
import type { OperatorAuthenticator } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { createPorts } from '../../kit/ports.js';
import { acme, ask, live, liveToken, token } from './service.js';

const operators: OperatorAuthenticator = {
  authenticate: (given) =>
    ok(
      (
        { 'operator-token': 'sandbox', 'live-operator': 'production' } as Record<
          string,
          Environment
        >
      )[given],
    ),
};
/** The headers of requests, besides their credentials. */
export const json = { 'content-type': 'application/json' };
export const asAcme = { authorization: `Token ${token}`, ...json };
export const asOperator = { authorization: 'Operator operator-token', ...json };
export const asOffer = (payment_token: string) => ({
  authorization: `Offer ${payment_token}`,
  ...json,
});

/** A handler of every face, with a gateway and a clock of its own. */
export function createFaces(
  options: Partial<HandlerOptions> = {},
  change = (all: Marketplace) => all,
) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const ports = {
    ...createPorts(),
    clock: { now: () => clock.now() },
    payments: createSandboxGateway(),
    paymentTokens: createOpaqueTokenIssuer(),
  };
  const authenticator = createTokenAuthenticator(
    [
      [token, acme],
      [liveToken, live],
      ['token-of-other', { environment: 'sandbox', partner: 'other' }],
    ],
    ports,
  );
  return createHandler(change(createMarketplace(ports)), {
    ...ports,
    authenticator,
    operatorAuthenticator: operators,
    ...options,
  });
}

/** Functions that send requests to a service. */
export const askBy = (service: () => Handler) => ({
  get: (path: string, headers: Record<string, string>) =>
    ask(service(), path, { method: 'GET', headers }),
  post: (path: string, headers: Record<string, string>, body: object = {}) =>
    ask(service(), path, { headers, body }),
});
