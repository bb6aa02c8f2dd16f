import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How a server that was told to stop ended: everything answered, or cut off at the deadline. */
export type Ending = 'finished' | 'cut off';

/** How a server is stopped. */
export interface Shutdown {
  /** From now on each answer ends its connection. The port stays open. */
  drain(): void;
  /**
   * Takes no new connection, lets every request that is being worked on finish, closes idle
   * connections at once and what is left after the grace by force.
   */
  end(): Promise<Ending>;
}

/** Makes a server stoppable; `grace` is in milliseconds. */
export function createShutdown(server: Server, grace: number): Shutdown {
  const sockets = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  let isDraining = false;
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    answers.add(response);
    // says "Connection: close", so that no client sends its next request into a closing connection
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      answers.delete(response);
      if (isEnding) server.closeIdleConnections();
    });
  });
  const drain = () => {
    isDraining = true;
    for (const response of answers) if (!response.headersSent) response.shouldKeepAlive = false;
  };
  return {
    drain,
    end: () =>
      new Promise((resolve) => {
        drain();
        isEnding = true;
        let ending: Ending = 'finished';
        const deadline = setTimeout(() => {
          ending = 'cut off';
          server.closeAllConnections();
        }, grace);
        server.close(() => {
          clearTimeout(deadline);
          resolve(ending);
        });
        // Node counts a connection on which nothing has come yet as busy
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }),
  };
}
