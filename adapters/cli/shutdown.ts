import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** How a server that was told to stop ended: everything answered, or cut off at the deadline. */
export type Ending = 'finished' | 'cut off';

/** How a server is stopped. */
export interface Shutdown {
  /** From now on each answer ends its connection. The port stays open. */
  drain(): void;
  /**
   * Takes no new connection, lets every request that was sent finish, closes idle connections soon
   * and what is left after the grace by force.
   */
  end(): Promise<Ending>;
}

/**
 * Milliseconds between the end of the port and that of idle connections: a request that is in the
 * system by then is read, and answered.
 */
const unread = 200;

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
    async end() {
      drain();
      await acceptWaiting(server);
      return new Promise((resolve) => {
        let ending: Ending = 'finished';
        const deadline = setTimeout(() => {
          ending = 'cut off';
          server.closeAllConnections();
        }, grace);
        // that of the HTTP server would destroy connections whose request nobody has read yet
        NetServer.prototype.close.call(server, () => {
          clearTimeout(deadline);
          clearTimeout(closing);
          resolve(ending);
        });
        const closing = setTimeout(() => {
          isEnding = true;
          server.closeIdleConnections();
          // Node counts a connection on which nothing has come yet as busy
          for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        }, unread);
      });
    },
  };
}

/**
 * Accepts who has connected by now: the system resets them if the port closes first. It goes by a
 * turn in which nobody came, or gives up, since somebody may come in each. What is left is the moment
 * between that turn and the close, in which no process can refuse a connection.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const since = performance.now();
  let isQuiet = false;
  const note = () => {
    isQuiet = false;
  };
  server.on('connection', note);
  // the first may come before the server has had its turn
  await turn();
  while (!isQuiet && performance.now() - since < unread) {
    isQuiet = true;
    await turn();
  }
  server.off('connection', note);
}
