import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../../kit/service.js';
import type { TourStops } from './runtime-tour.js';
import { createTourService, limitedToken, token } from './tour-service.js';

/** Everything that the tour visits, each on an origin of its own. */
export async function openStops(pageOrigin: string): Promise<{
  readonly stops: TourStops;
  /** All that came where redirects lead. */
  readonly followed: readonly unknown[];
  close(): Promise<void>;
}> {
  const followed: unknown[] = [];
  // it would let a page in, so that only the client can be what stays away
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
    // an answer to half a request would be a broken connection to some
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
      // a preflight that is redirected has failed
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
