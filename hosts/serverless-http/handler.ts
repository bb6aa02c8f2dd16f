import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeListener } from 'dealwright/node';
import serverless from 'serverless-http';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const deals = createNodeListener(dealwright.handler, { resolveCaller: callerOf });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith('/deals/')) return deals(request, response);
  response.end('This page is of the function itself.\n');
}

export const handler = serverless(answer, {
  // a file may have any bytes, whatever its type says
  binary: () => true,
  // else the id of the gateway becomes that of the request, which is no ULID
  requestId: '',
});
