import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok } from 'neverthrow';
import type { ApiToken } from './api-tokens.js';
import type { Flags } from './fields.js';
import { complain, failedExit, say, tell } from './problem.js';
import { createServiceBackEnd, createServiceServer, failureLine } from './service.js';
import { parseSettings, type Settings, sharedContractors, weaknesses } from './settings.js';
import { createShutdown, toldToStop } from './shutdown.js';
import { openStore } from './store/open-store.js';
import { checkFiles } from './store/work-files.js';
import { keptWebhookKeys } from './webhook-keys.js';

/** Milliseconds for requests and posts of webhooks to finish once the port is closed. */
const grace = 6_000;

/** Milliseconds for the rest of the work, and the database, once the grace is over. */
const lastWait = 500;

/**
 * Serves until the process is told to stop, and returns the exit code. Output for a person goes to
 * stdout. Problems, and one JSON line for each cause of a 500 or 503, go to stderr.
 */
export async function serve(process: NodeJS.Process, flags: Flags): Promise<number> {
  const parsed = parseSettings(process.env, flags);
  if (parsed.isErr()) return complain(process, ...parsed.error);
  const settings = parsed.value;
  const isLeft = flags.migrate === false;
  const opened = await openStore(process, settings.place, !isLeft);
  if (opened.isErr()) {
    const { message, isUnmigrated } = opened.error;
    const hint = isLeft && isUnmigrated ? '; or serve without --no-migrate' : '';
    return tell(process, { ...opened.error, message: message + hint });
  }
  const { ports, where, close } = opened.value;
  const files = await checkFiles(settings.place, ports);
  if (files.isErr()) {
    await close();
    return tell(process, files.error);
  }
  const keys = settings.webhookKeys
    ? ok(settings.webhookKeys)
    : await keptWebhookKeys(settings.place);
  if (keys.isErr()) {
    await close();
    return complain(process, keys.error);
  }
  const token = randomBytes(24).toString('base64url');
  const made = { token, tenant: { environment: 'sandbox', partner: 'demo' } } as const;
  const { tokens = [made] } = settings;
  const log = (line: object) => process.stderr.write(`${JSON.stringify(line)}\n`);
  const own = { ...settings, webhookKeys: keys.value };
  const readiness = createReadiness();
  const posting = new AbortController();
  const parts = { tokens, log, isReady: readiness.isReady, signal: posting.signal };
  const backEnd = createServiceBackEnd(ports, own, parts);
  const server = createServiceServer(backEnd);
  const shutdown = createShutdown(server, grace);
  const stopped = toldToStop(process);
  const problem = await listen(server, settings);
  if (problem !== undefined) {
    say(process, problem);
    await close();
    return failedExit;
  }
  const warnings = [...sharedContractors(settings, tokens), ...weaknesses(settings)];
  for (const warning of warnings) say(process, warning);
  const { port } = server.address() as AddressInfo;
  const baseUrl = baseUrlOf(settings.host, port);
  const served = (['production', 'sandbox'] as const).filter(
    (each) => settings.served === 'both' || settings.served === each,
  );
  const environments = served.filter((each) =>
    tokens.some(({ tenant }) => tenant.environment === each),
  );
  const trial = settings.tokens === undefined ? greeting(baseUrl, made) : '';
  process.stdout.write(
    `Dealwright listens on ${baseUrl} (${environments.join(' and ')}; deals are kept ${where})\n${trial}`,
  );
  const stopWorking = backEnd.start((failure) => log(failureLine(failure)));
  const signal = await stopped;
  const isIdle = stopWorking();
  if (signal === 'SIGTERM' && readiness.isWatched()) {
    readiness.withdraw();
    shutdown.drain();
    await sleep(settings.drain * 1000);
  }
  const graceEnd = setTimeout(() => posting.abort(), grace);
  const ends = shutdown.end();
  // work on a database or a file that does not answer is abandoned: the next start handles it
  const closed = Promise.all([ends, isIdle]).then(close);
  await Promise.race([closed, sleep(grace + lastWait)]);
  const ending = await ends;
  clearTimeout(graceEnd);
  if (ending === 'finished') return 0;
  say(process, `requests that took more than ${grace / 1000} s to finish were aborted`);
  return failedExit;
}

/** Milliseconds after which a balancer that asked `/readyz` counts as gone. */
const watchedFor = 60_000;

/** The answer of `/readyz`, and whether it is used. */
function createReadiness() {
  let isServing = true;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    isReady() {
      askedAt = performance.now();
      return isServing;
    },
    isWatched: () => performance.now() - askedAt < watchedFor,
    withdraw() {
      isServing = false;
    },
  };
}

/** Why the server cannot listen, or `undefined` once it does. */
async function listen(server: Server, { host, port }: Settings): Promise<string | undefined> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} on ${host} is in use already: stop the process that listens there, or set PORT to another port (0 takes any free one)`,
      EACCES: `this user may not listen on port ${port}: set PORT to 1024 or above`,
      EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST to one of its addresses, such as 127.0.0.1 or 0.0.0.0`,
      ENOTFOUND: `the host name ${host} is unknown: set HOST to an address of this machine, such as 127.0.0.1`,
    };
    return known[code ?? ''] ?? `cannot listen on ${host} port ${port}: ${message}`;
  }
}

/** The address by which this machine reaches a server that listens on `host` and `port`. */
function baseUrlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name.replace('%', '%25')}]` : name}:${port}`;
}

/** How to try a service that made its own token. */
function greeting(baseUrl: string, { token, tenant }: ApiToken): string {
  return `
DEALWRIGHT_TOKENS is not set, so here is a ${tenant.environment} token for partner ${tenant.partner}, good until the service stops:
  ${token}
Try it:
  curl -i ${baseUrl}/api/2.0/category/ -H 'Authorization: Token ${token}'
`;
}
