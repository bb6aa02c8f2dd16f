import { createNodeListener } from 'dealwright/node';
import { fastify } from 'fastify';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = fastify();

const deals = createNodeListener(dealwright.handler, { resolveCaller: callerOf });
// onRequest runs before the body is read
app.all('/deals/*', { onRequest: ({ raw }, reply) => deals(raw, reply.hijack().raw) }, () => {});

app.get('/', async () => 'This page is of Fastify itself.\n');

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
