import { createFetchHandler } from 'dealwright/http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });

Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: '127.0.0.1',
  fetch(request) {
    if (new URL(request.url).pathname.startsWith('/deals/')) return deals(request);
    return new Response('This page is of Bun itself.\n');
  },
});
