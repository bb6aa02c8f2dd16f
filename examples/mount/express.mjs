import { createNodeListener } from 'dealwright/node';
import express from 'express';

export function mountInExpress(handler) {
  const app = express();
  // in front of express.json() and the like: the handler reads the body itself
  app.all(['/api/{*path}', '/healthz'], createNodeListener(handler));
  return app;
}
