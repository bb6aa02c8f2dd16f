import { pathOf, withMembers } from './changes.js';
import type { DeliveryMutant } from './deliveries.js';
import { idle, inDeliveries, isAction, isCreate } from './webhook-changes.js';

const isOfOperator = (request: Request) => pathOf(request).startsWith('/operator/');

const isOfDeal = (request: Request) => /\/deal\/[^/]+\/delivery\/$/.test(pathOf(request));

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
    name: 'the deliveries of a deal do not name their webhook',
    law: '7.8/webhooks/deal-deliveries',
    fetch: inDeliveries((all) => all.map(({ webhook_id: _, ...each }) => each)),
  },
  {
    name: 'the operator sees no delivery of a deal',
    law: '7.8/webhooks/deal-deliveries',
    fetch: idle((request) => isOfOperator(request) && isOfDeal(request), {
      ...{ results: [], next: null },
    }),
  },
  {
    name: 'every deal has the deliveries of all',
    law: '7.8/webhooks/deal-deliveries',
    fetch: (forward) => {
      let first: Request | undefined;
      return async (request) => {
        if (isOfDeal(request)) first ??= request.clone();
        return forward(isOfDeal(request) && first ? first.clone() : request);
      };
    },
  },
  {
    name: 'the deliveries of a deal come in the order of its events',
    law: '7.8/webhooks/deal-newest-first',
    fetch: inDeliveries((all) => [...all].reverse()),
  },
  {
    name: 'an unknown deal has no deliveries',
    law: '7.8/webhooks/deal-unknown',
    fetch: idle(isOfDeal, { results: [], next: null }),
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
