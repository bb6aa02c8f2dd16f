import process from 'node:process';
import { createFetchHandler } from 'dealwright/http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const deals = createFetchHandler(dealwright.handler, { resolveCaller: callerOf });

Deno.serve({ port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, (request) => {
  if (new URL(request.url).pathname.startsWith('/deals/')) return deals(request);
  return new Response('This page is of Deno itself.\n');
});
