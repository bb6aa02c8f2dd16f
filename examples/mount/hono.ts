import { createFetchHandler, type Handler } from 'dealwright/http';
import { Hono } from 'hono';

export function mountInHono(handler: Handler): Hono {
  const app = new Hono();
  const answer = createFetchHandler(handler);
  app.all('/api/*', (context) => answer(context.req.raw));
  return app;
}
