import { pathOf, withMembers } from './changes.js';
import type { DeliveryMutant } from './deliveries.js';
import { idle, isAction, isCreate } from './webhook-changes.js';

const isOfOperator = (request: Request) => pathOf(request).startsWith('/operator/');

/** Mistakes in what the operator sees and does of webhooks. */
export const operatorMutants: readonly DeliveryMutant[] = [
  {
    name: 'a webhook fails with its first failure',
    law: '7.8/webhooks/failing-late',
    fetch: (forward) => {
      const made: object[] = [];
      return async (request) => {
        const response = await forward(request.clone());
        if (isCreate(request) && response.ok) {
          const { data } = (await response.clone().json()) as { data: { id: string } };
          const name = `webhook:${data.id}`;
          made.push({ partner: 'acme', name, failing_since: '', webhook: null });
        }
        return isAction('failing')(request)
          ? withMembers(response, () => ({ data: { results: made, next: null } }))
          : response;
      };
    },
  },
  {
    name: 'the operator sees no delivery',
    law: '6.5/webhooks/operator-sees',
    fetch: idle((request) => isOfOperator(request) && isAction('delivery')(request), {
      ...{ results: [], next: null },
    }),
  },
  {
    name: 'a redelivery by the operator is for show',
    law: '6.5/webhooks/operator-redelivers',
    fetch: idle((request) => isOfOperator(request) && isAction('redeliver')(request)),
  },
];
