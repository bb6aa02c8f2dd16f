import { createServer } from 'node:http2';
import { createNodeListener } from 'dealwright/node';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const deals = createNodeListener(dealwright.handler, { resolveCaller: callerOf });

// for browsers: createSecureServer({ key, cert, allowHTTP1: true }, ...)
const server = createServer((request, response) => {
  if (request.url.startsWith('/deals/')) return deals(request, response);
  response.end('This page is of node:http2 itself.\n');
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
