import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiToken } from './api-tokens.js';
import { failedExit, usageExit } from './exit-codes.js';
import { greeting } from './greeting.js';
import { createService } from './service.js';
import { type Flags, parseSettings, type Settings } from './settings.js';
import { createShutdown } from './shutdown.js';
import { toldToStop } from './stop-signals.js';
import { openStore } from './store/open-store.js';

/** Milliseconds that requests have to finish once the service was told to stop. */
const grace = 10_000;

/**
 * Serves until the process is told to stop and answers the exit code. What a person reads goes to
 * stdout; complaints, and one JSON line for each error behind a 500 or 503, go to stderr.
 */
export async function serve(process: NodeJS.Process, flags: Flags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const parsed = parseSettings(process.env, flags);
  if (parsed.isErr()) {
    for (const problem of parsed.error) complain(problem);
    return usageExit;
  }
  const settings = parsed.value;
  const opened = await openStore(process, settings.place, flags.migrate !== false);
  if (opened.isErr()) {
    const { message, exit, isUnmigrated } = opened.error;
    const isLeft = isUnmigrated === true && flags.migrate === false;
    complain(isLeft ? `${message}; or serve without --no-migrate` : message);
    return exit;
  }
  const { ports, where, close } = opened.value;
  const made: ApiToken | undefined = settings.tokens === undefined ? makeToken() : undefined;
  const tokens = settings.tokens ?? (made === undefined ? [] : [made]);
  const log = (line: object) => process.stderr.write(`${JSON.stringify(line)}\n`);
  const server = createService(tokens, log, ports);
  const shutDown = createShutdown(server, grace);
  const stopped = toldToStop(process);
  const problem = await listen(server, settings);
  if (problem !== undefined) {
    complain(problem);
    await close();
    return failedExit;
  }
  process.stdout.write(
    greeting(settings.host, server.address() as AddressInfo, tokens, made, where),
  );
  await stopped;
  const ending = await shutDown();
  await close();
  if (ending === 'finished') return 0;
  complain(`requests that took more than ${grace / 1000} s to finish were cut off`);
  return failedExit;
}

function makeToken(): ApiToken {
  return {
    token: randomBytes(24).toString('base64url'),
    tenant: { environment: 'sandbox', partner: 'demo' },
  };
}

/** What kept the server from listening, in words for whoever started it. */
async function listen(server: Server, { host, port }: Settings): Promise<string | undefined> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} on ${host} is in use already: stop what listens there, or set PORT to another port (0 takes any free one)`,
      EACCES: `this user may not listen on port ${port}: set PORT to 1024 or above`,
      EADDRNOTAVAIL: `${host} is no address of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0`,
      ENOTFOUND: `the host name ${host} is not known: set HOST to an address of this machine, such as 127.0.0.1`,
    };
    return known[code ?? ''] ?? `cannot listen on ${host} port ${port}: ${message}`;
  }
}
