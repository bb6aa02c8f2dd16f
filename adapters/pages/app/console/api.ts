import { createOperatorClient } from 'dealwright/client';
import { createSession } from '../base/session.js';

export const session = createSession('operator-token', createOperatorClient, (client) =>
  // which of the operators it is, only the host knows
  client.listDeals({ page_size: 1 }).map(() => undefined),
);

export const api = () => session.client.value;

/** The calls of the operator for one partner; the address was checked to name one. */
export const partnerApi = (partner: string) => api().partner(partner);
