import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The fate of bytes on their way, and of their connection. */
export type Fate = 'pass' | 'reset' | 'end';

/** A proxy between a client and a server of this machine that fails as networks fail. */
export interface Forwarder {
  readonly port: number;
  /** The number of open connections. */
  count(): number;
  /** Changes the target of new connections. */
  pointTo(port: number): void;
  /**
   * Passes on no bytes, in neither direction, and closes nothing: for the present connections, or
   * also for new ones.
   */
  hold(which: 'present' | 'all'): void;
  /** Passes on the held bytes, and all later ones. */
  pass(): void;
  /** Decides on bytes before they are passed on: `reset` and `end` lose them, with a RST or a FIN. */
  decide(fate: (direction: 'up' | 'down') => Fate): void;
  stop(): Promise<void>;
}

/** Starts a forwarder to a port of this machine. */
export async function startForwarder(target: number): Promise<Forwarder> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let port = target;
  let isHolding = false;
  let fateOf: (direction: 'up' | 'down') => Fate = () => 'pass';

  const server = createServer((client) => {
    const upstream = connect({ port, host: '127.0.0.1' });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const join = (from: Socket, to: Socket, direction: 'up' | 'down') => {
      from.on('data', (bytes) => {
        const fate = fateOf(direction);
        if (fate === 'pass') to.write(bytes);
        else {
          if (fate === 'reset') client.resetAndDestroy();
          else client.destroy();
          upstream.destroy();
        }
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroySoon();
        pairs.delete(pair);
      });
    };
    join(client, upstream, 'up');
    join(upstream, client, 'down');
    if (isHolding) for (const each of pair) each.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    count: () => pairs.size,
    pointTo(next) {
      port = next;
    },
    hold(which) {
      isHolding = which === 'all';
      for (const pair of pairs) for (const each of pair) each.pause();
    },
    pass() {
      isHolding = false;
      for (const pair of pairs) for (const each of pair) each.resume();
    },
    decide(fate) {
      fateOf = fate;
    },
    async stop() {
      for (const pair of pairs) for (const each of pair) each.destroy();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
