import Fastify from 'fastify';

/**
 * Fastify with its defaults, its log off: it parses a body and writes an answer, and does nothing
 * else.
 */
export async function listen() {
  let last = 0;
  const app = Fastify({ logger: false });
  app.post('/api/1.0/deal/', async (_request, reply) => {
    last += 1;
    return reply.code(201).send({ success: true, data: { id: last, stage_ids: [last] } });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}
