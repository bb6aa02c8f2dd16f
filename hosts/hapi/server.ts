import { server as createServer, type Lifecycle } from '@hapi/hapi';
import { createNodeListener } from 'dealwright/node';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const server = createServer({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });

const deals = createNodeListener(dealwright.handler, { resolveCaller: callerOf });
const handler: Lifecycle.Method = ({ raw }, h) => (deals(raw.req, raw.res), h.abandon);
// onPreAuth runs before hapi reads the body
server.route({ method: '*', path: '/deals/{p*}', handler, options: { ext: { onPreAuth: { method: handler } } } });

server.route({ method: 'GET', path: '/', handler: () => 'This page is of hapi itself.\n' });

await server.start();
