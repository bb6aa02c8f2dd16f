import { isTenant, type OperatorApi, type OperatorDeals } from 'dealwright';
import type { ClientOptions } from 'dealwright/client';
import { checkOptions } from 'dealwright/ports';
import { operatorRoutes } from '../wire/operator.js';
import type { Route } from '../wire/route.js';
import { createOperations } from './operations.js';
import { readSettings } from './settings.js';

/**
 * Makes the client of an operator: `Marketplace.operator` over HTTP. The token decides the
 * environment. Failures and retries are those of `createClient`; a mistake in the options throws a
 * `TypeError`.
 *
 * @example
 * ```ts
 * import { createOperatorClient } from 'dealwright/client';
 *
 * const operator = createOperatorClient({
 *   baseUrl: 'http://127.0.0.1:8787',
 *   token: 'the-token-of-an-operator',
 * });
 * const ended = await operator.partner('acme').resolve('order-1', { agreed_amount: '250.00' });
 * if (ended.isErr()) console.error(ended.error.code);
 * ```
 */
export function createOperatorClient(options: ClientOptions): OperatorApi {
  const operation = createOperations(readSettings(options, 'createOperatorClient', 'Operator'));
  const { listDeals, listEvents, runTimers, runEffects } = operatorRoutes;
  const ofPartner = Object.values<Route>(operatorRoutes).filter(({ by }) => by !== undefined);
  // the routes are those of the interface, with its names, answers and errors
  return {
    partner(partner) {
      checkOptions('partner', {
        'the name of a partner is text of 1 to 128 characters': isTenant({
          environment: 'sandbox',
          partner,
        }),
      });
      const inPath = encodeURIComponent(partner);
      const withPartner = (path: string) =>
        // a URL drops a part that is only dots
        /^\.\.?$/.test(partner) ? undefined : path.replace('{partner}', () => inPath);
      const operations = ofPartner.map((row) => [row.operation, operation(row, withPartner)]);
      return Object.fromEntries(operations) as OperatorDeals;
    },
    listDeals: operation(listDeals) as OperatorApi['listDeals'],
    listEvents: operation(listEvents) as OperatorApi['listEvents'],
    // all arguments are ignored
    runTimers: () => operation(runTimers)() as ReturnType<OperatorApi['runTimers']>,
    runEffects: () => operation(runEffects)() as ReturnType<OperatorApi['runEffects']>,
  };
}
