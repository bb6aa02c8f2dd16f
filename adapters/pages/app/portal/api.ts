import { createClient } from 'dealwright/client';
import { createSession } from '../base/session.js';

export const session = createSession('partner-token', createClient, (client) =>
  client.listDeals({ page_size: 1 }),
);

/** The client of the partner who is signed in. */
export const api = () => session.client.value;
