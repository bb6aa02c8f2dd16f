import express from 'express';
import { limit } from '../limit.mjs';
import { createWork } from './work-by-hand.mjs';

/** Express in its production default, with Zod and the same work by hand. */
export function listen(caller) {
  const work = createWork({ ...caller, limit });
  const app = express();
  app.use((request, response, next) => {
    response.set('X-Request-Id', work.requestId(request.get('x-request-id')));
    request.tenant = work.authenticate(request.get('authorization'));
    if (request.tenant !== undefined) return next();
    const { status, body } = work.unauthorized;
    response.status(status).json(body);
  });
  app.use(express.json({ limit: '1mb' }));
  app.post('/api/1.0/deal/', (request, response) => {
    const { status, body } = work.createDeal(request.tenant, request.body);
    response.status(status).json(body);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server));
  });
}
