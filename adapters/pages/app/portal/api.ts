import { createClient } from 'dealwright/client';
import { createSession } from '../base/session.js';

export const session = createSession('partner-token', createClient, (client) =>
  client
    .listEvents({ page_size: 1 })
    // a partner without an event has no name yet
    .map(({ results: [first] }) => first && `${first.environment} ${first.partner}`),
);

export const api = () => session.client.value;
