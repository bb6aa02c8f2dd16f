import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { signalExit } from './problem.js';

/** The end of a server that was told to stop: everything answered, or cut off at the deadline. */
export type Ending = 'finished' | 'cut off';

/** The steps of stopping a server. */
export interface Shutdown {
  /** From now on each answer ends its connection. The port stays open. */
  drain(): void;
  /**
   * Accepts no new connection, lets every request that was sent finish, closes idle connections
   * soon and the others after the grace by force.
   */
  end(): Promise<Ending>;
}

/**
 * Milliseconds between the end of the port and that of idle connections: a request that has arrived
 * by then is read, and answered.
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
        // that of the HTTP server would destroy connections whose request was not read yet
        NetServer.prototype.close.call(server, () => {
          clearTimeout(deadline);
          clearTimeout(closing);
          resolve(ending);
        });
        const closing = setTimeout(() => {
          isEnding = true;
          server.closeIdleConnections();
          // Node counts a connection without any data yet as busy
          for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        }, unread);
      });
    },
  };
}

/**
 * Accepts the connections that have arrived: the system resets them if the port closes first. It
 * ends after a turn without a new one, or gives up, since each turn may bring one. Connections of
 * the moment between that turn and the close are reset: no process can prevent that.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const since = performance.now();
  let isQuiet = false;
  const note = () => {
    isQuiet = false;
  };
  server.on('connection', note);
  // the first may arrive before the server has its turn
  await turn();
  while (!isQuiet && performance.now() - since < unread) {
    isQuiet = true;
    await turn();
  }
  server.off('connection', note);
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

export type StopSignal = (typeof stopSignals)[number];

export function exitOfSignal(signal: StopSignal): number {
  return signalExit + constants.signals[signal];
}

/**
 * Calls `stop` with the first SIGTERM or SIGINT, until the function that it returns is called. A
 * second signal ends the process at once.
 */
export function onStopSignal(process: NodeJS.Process, stop: (signal: StopSignal) => void) {
  let isStopping = false;
  const removals = stopSignals.map((signal) => {
    const hear = () => {
      if (isStopping) process.exit(exitOfSignal(signal));
      isStopping = true;
      stop(signal);
    };
    process.on(signal, hear);
    return () => process.off(signal, hear);
  });
  return () => {
    for (const remove of removals) remove();
  };
}

/** Milliseconds between two checks of the parent process. */
const look = 250;

/**
 * Resolves with the signal when the process is told to stop: at the first SIGTERM or SIGINT, or
 * when the `npm start` above it has ended, which passes a SIGTERM on to its shell alone.
 */
export function toldToStop(process: NodeJS.Process): Promise<StopSignal> {
  return new Promise((resolve) => {
    onStopSignal(process, resolve);
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const { ppid } = process;
    const timer = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(timer);
      resolve('SIGTERM');
    }, look);
    timer.unref();
  });
}
