import {
  isTenant,
  type OperatorApi,
  type OperatorCommands,
  type OperatorView,
  type TransportError,
} from 'dealwright';
import type { ClientOptions } from 'dealwright/client';
import { operatorRoutes } from '../wire/operator-routes.js';
import type { Route } from '../wire/route.js';
import type { ClientCallOptions } from './client-api.js';
import { encodeQuery } from './encode-input.js';
import { createOperations, pathByPartnerId } from './operations.js';
import { readSettings } from './settings.js';

/**
 * Makes the client of the host's staff: what `Marketplace.operator` gives in process, over HTTP. The
 * token says in which environment. Failures are answered and sent again as `createClient` does it; a
 * mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createOperatorClient } from 'dealwright/operator-client';
 *
 * const operator = createOperatorClient({
 *   baseUrl: 'http://127.0.0.1:8787',
 *   token: 'the-token-of-the-staff',
 * });
 * const ended = await operator.partner('acme').resolve('order-1', { agreed_amount: '250.00' });
 * if (ended.isErr()) console.error(ended.error.code);
 * ```
 */
export function createOperatorClient(options: ClientOptions): OperatorApi {
  const { call, send } = createOperations(
    readSettings(options, 'createOperatorClient', 'Operator'),
  );
  const { retrieveDeal, listDeals, runTimers, runEffects } = operatorRoutes;
  return {
    partner(partner) {
      if (!isTenant({ environment: 'sandbox', partner })) {
        throw new TypeError('partner: the name of a partner is text of 1 to 128 characters');
      }
      const inPath = encodeURIComponent(partner);
      const pathOf = (route: Route, id: unknown) =>
        // a URL drops a part that is dots
        /^\.\.?$/.test(partner)
          ? undefined
          : pathByPartnerId(route, id)?.replace('{partner}', () => inPath);
      const commands = Object.values<Route>(operatorRoutes)
        .filter(({ by, input }) => by === 'partner_id' && input === 'command')
        .map((route) => [
          route.operation,
          (id: unknown, input: unknown, given?: ClientCallOptions) =>
            send(route, pathOf(route, id), input, given),
        ]);
      return {
        // the rows of commands are those of the interface
        ...(Object.fromEntries(commands) as OperatorCommands<OperatorView, TransportError>),
        retrieveDeal: (id, given) => call(retrieveDeal, pathOf(retrieveDeal, id), given),
      };
    },
    listDeals: (query, given) =>
      call(listDeals, listDeals.path + encodeQuery(query, listDeals.members), given),
    runTimers: () => send(runTimers, runTimers.path, {}, undefined),
    runEffects: () => send(runEffects, runEffects.path, {}, undefined),
  };
}
