import { createClient } from 'dealwright/client';
import { createSession } from '../base/session.js';

export const session = createSession('partner-token', createClient, (client) =>
  client.listDeals({ page_size: 1 }),
);

export const api = () => session.client.value;
