import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How a server that was told to stop ended: everything answered, or cut off at the deadline. */
export type Ending = 'finished' | 'cut off';

/**
 * Makes a server stoppable. The returned function takes no new connection, lets every request that
 * is being worked on finish, closes idle connections at once and what is left after `grace`
 * milliseconds by force.
 */
export function createShutdown(server: Server, grace: number): () => Promise<Ending> {
  const sockets = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  let stopping = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    answers.add(response);
    // says "Connection: close", so that no client sends its next request into a closing connection
    if (stopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      answers.delete(response);
      if (stopping) server.closeIdleConnections();
    });
  });
  return () =>
    new Promise((resolve) => {
      stopping = true;
      for (const response of answers) if (!response.headersSent) response.shouldKeepAlive = false;
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
    });
}
