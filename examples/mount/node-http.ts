import { createServer, type Server } from 'node:http';
import type { Handler } from 'dealwright/http';
import { createNodeListener } from 'dealwright/node';

export function mountInNodeHttp(handler: Handler): Server {
  return createServer(createNodeListener(handler));
}
