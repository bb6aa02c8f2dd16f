import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../../kit/service.js';
import type { TourStops } from './runtime-tour.js';
import { createTourService, limitedToken, token } from './tour-service.js';

/** All stops of the tour, each on an origin of its own. */
export async function openStops(pageOrigin: string): Promise<{
  readonly stops: TourStops;
  /** All requests to the target of redirects. */
  readonly followed: readonly unknown[];
  close(): Promise<void>;
}> {
  const followed: unknown[] = [];
  // it would admit a page, so that only the client can refuse
  const letIn: RequestListener = (request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader(
      'access-control-allow-headers',
      'authorization, content-type, idempotency-key',
    );
    if (request.method === 'OPTIONS') response.writeHead(204).end();
  };
  const trap = await listen((request, response) => {
    followed.push([request.method, request.url, request.headers]);
    letIn(request, response);
    if (!response.writableEnded) response.end('{}');
  });
  const redirecting = await listen((request, response) => {
    letIn(request, response);
    if (response.writableEnded) return;
    // an answer before the end of the request would break the connection of some runtimes
    request.resume().on('end', () => {
      response.writeHead(307, { location: `${trap.baseUrl}${request.url}` }).end();
    });
  });
  const silent = await listen((request) => request.resume());
  const service = await serve(createTourService([pageOrigin]));
  const withoutSlash = await serve(
    createTourService([pageOrigin]),
    (answer) => (request, response) => {
      const { url = '', method } = request;
      // a redirected preflight fails
      if (method === 'OPTIONS' || !url.endsWith('/')) return answer(request, response);
      letIn(request, response);
      request.resume().on('end', () => {
        response.writeHead(308, { location: url.slice(0, -1) }).end();
      });
    },
  );
  return {
    stops: {
      baseUrl: service.baseUrl,
      token,
      limitedToken,
      redirecting: redirecting.baseUrl,
      withoutSlash: withoutSlash.baseUrl,
      silent: silent.baseUrl,
    },
    followed,
    async close() {
      const all = [service, withoutSlash, redirecting, silent, trap];
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** A server of this machine on a free port. */
export async function listen(listener: RequestListener) {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
