import { serve } from '@hono/node-server';
import { createFetchHandler } from 'dealwright/http';
import { createApp } from './dealwright-app.mjs';
import { createNothingStore } from './nothing-store.mjs';

/** Our web-standard adapter on Node, over a store that stores nothing. */
export function listen(caller) {
  const fetch = createFetchHandler(createApp(caller, createNothingStore()));
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(server));
  });
}
