import Fastify from 'fastify';
import { limit } from '../limit.mjs';
import { createWork } from './work-by-hand.mjs';

/** Fastify with its defaults, its log off, with Zod and the same work by hand. */
export async function listen(caller) {
  const work = createWork({ ...caller, limit });
  const app = Fastify({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', work.requestId(request.headers['x-request-id']));
    const tenant = work.authenticate(request.headers.authorization);
    if (tenant === undefined) {
      const { status, body } = work.unauthorized;
      return reply.code(status).send(body);
    }
    request.tenant = tenant;
  });
  app.decorateRequest('tenant', null);
  app.post('/api/1.0/deal/', async (request, reply) => {
    const { status, body } = work.createDeal(request.tenant, request.body);
    return reply.code(status).send(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}
