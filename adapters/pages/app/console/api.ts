import { createOperatorClient } from 'dealwright/client';
import { createSession } from '../base/session.js';

export const session = createSession('operator-token', createOperatorClient, (client) =>
  client.listDeals({ page_size: 1 }),
);

/** The client of the operator who is signed in. */
export const api = () => session.client.value;

/** The calls of the operator for one partner. */
export function partnerApi(partner: string) {
  try {
    return api().partner(partner);
  } catch {
    // a name that no partner can have: the service says that there is nothing
    return api().partner('?');
  }
}
