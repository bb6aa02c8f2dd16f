import type { Handler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';
import { type FastifyInstance, fastify } from 'fastify';

export function mountInFastify(handler: Handler): FastifyInstance {
  const app = fastify();
  const listener = createNodeListener(handler);
  app.register(async (deals) => {
    // within this scope Fastify leaves the body alone: the handler reads it itself
    deals.removeAllContentTypeParsers();
    deals.addContentTypeParser('*', (_request, _payload, done) => done(null));
    deals.all('/api/*', (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
  });
  return app;
}
