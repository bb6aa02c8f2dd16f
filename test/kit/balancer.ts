import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A simple balancer on this machine. */
export interface Balancer {
  readonly url: string;
  /** Adds a service, and resolves once it was found ready. */
  add(port: number): Promise<void>;
  close(): Promise<void>;
}

interface Backend {
  readonly port: number;
  readonly agent: Agent;
  isReady: boolean;
}

/** Milliseconds between two checks. */
const pause = 250;

/**
 * Starts a balancer that asks each service for `/readyz`, and passes requests in turns to those that
 * answered 200 last, over kept connections. It never sends a request again: one that a service drops
 * is a 502 for its client. A service that it cannot reach is forgotten.
 */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Set<Backend>();
  let turn = 0;
  let isClosed = false;

  const askReady = (port: number) =>
    fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
  const watch = async (backend: Backend) => {
    while (!isClosed && backends.has(backend)) {
      const status = await askReady(backend.port);
      backend.isReady = status === 200;
      if (status === undefined) backends.delete(backend);
      await sleep(pause);
    }
    backend.agent.destroy();
  };

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ready = [...backends].filter(({ isReady }) => isReady);
    turn += 1;
    const backend = ready[turn % ready.length];
    const fail = (error?: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(error?.code ?? 'no service is ready');
    };
    if (backend === undefined) return fail();
    const { method, url, headers } = incoming;
    const { port, agent } = backend;
    const passed = request({ host: '127.0.0.1', port, agent, method, path: url, headers });
    passed.on('error', fail);
    passed.on('response', (answer) => {
      const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.on('error', fail);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  };

  const server = createServer(pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(port) {
      const backend = { port, agent: new Agent({ keepAlive: true }), isReady: false };
      while ((await askReady(port)) !== 200) await sleep(pause);
      backend.isReady = true;
      backends.add(backend);
      void watch(backend);
    },
    async close() {
      isClosed = true;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
