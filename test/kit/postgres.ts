import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { postgresAccount, postgresPrograms } from './postgres-package.js';
import { freePort, guardFolder, killFamily, output } from './processes.js';

/** How the server differs from one in production. */
export interface PostgresOptions {
  /** On by default. Off is faster, for tests of other things. */
  readonly fsync?: boolean;
  /** Settings of `postgresql.conf`: `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The addresses of a database. */
export interface DatabaseAddress {
  /** Over TCP on this machine, as a superuser. */
  readonly url: string;
  /** The same over a Unix socket, which is faster. */
  readonly socketUrl: string;
}

/** A real and empty PostgreSQL server for one test. */
export interface Postgres extends DatabaseAddress {
  readonly port: number;
  /** The id of its process, which `kill` and `restart` replace. */
  pid(): number | undefined;
  /** Makes an empty database beside the first, which costs some 50 ms. */
  createDatabase(): Promise<DatabaseAddress>;
  /** Runs SQL by `psql`, which stops at the first error and rejects, and returns rows of text. */
  psql(sql: string, address?: DatabaseAddress): Promise<string>;
  /** Ends all its processes at once, like a power cut. */
  kill(): Promise<void>;
  /** Starts it over the same data; if it still runs, it ends cleanly first. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL over an empty folder, in about a second. If the test ends for any
 * reason without stopping it, a guard stops it.
 */
export function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  return startOver(options, async (data, tools) => {
    await output('cp', ['-a', await emptyCluster(tools), data]);
  });
}

// not by the address of this module: benchmarks bundle it into one without an address
const cache = resolve('node_modules/.cache/dealwright');

/** The first files of a server, made once for all servers of this checkout. */
async function emptyCluster({ programs, account }: PostgresTools): Promise<string> {
  // the programs of each version have their own folder
  const cluster = join(cache, `cluster-${basename(dirname(programs))}-${account.uid}`);
  if (existsSync(cluster)) return cluster;
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-cluster-'));
  try {
    chownSync(folder, account.uid, account.gid);
    const data = join(folder, 'data');
    // -N: the first files of a server need not be safe on the disk
    const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'];
    await output(join(programs, 'initdb'), [...initdb, '--locale=C.UTF-8'], account);
    mkdirSync(cache, { recursive: true });
    // another worker may make it too: the first rename wins, and the name means that it is complete
    const beside = `${cluster}.${process.pid}`;
    await output('cp', ['-a', data, beside]);
    await rename(beside, cluster).catch(() => rm(beside, { recursive: true }));
    return cluster;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The tools for filling a folder: the programs, and its owner. */
export interface PostgresTools {
  readonly programs: string;
  readonly account: { readonly uid: number; readonly gid: number };
}

/** Starts a private PostgreSQL over the files that `fill` writes into its folder. */
export async function startOver(
  options: PostgresOptions,
  fill: (data: string, tools: PostgresTools) => Promise<unknown>,
): Promise<Postgres> {
  const programs = postgresPrograms();
  const account = postgresAccount();
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-postgres-'));
  chownSync(folder, account.uid, account.gid);
  const guard = guardFolder(folder);
  let server: ChildProcess | undefined;
  const kill = async () => {
    const killed = server;
    server = undefined;
    if (killed?.pid === undefined) return;
    const isOver = killed.exitCode !== null || killed.signalCode !== null;
    // until its end was read, its process id stays used, and its lock file counts
    const ended = isOver ? undefined : once(killed, 'exit');
    await killFamily(killed.pid);
    await ended;
  };
  const stop = async () => {
    await kill();
    await guard.release();
  };
  try {
    const data = join(folder, 'data');
    await fill(data, { programs, account });
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: folder,
      fsync: options.fsync === false ? 'off' : 'on',
      // after a kill: one call instead of one for each of a thousand files
      recovery_init_sync_method: 'syncfs',
      ...options.settings,
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const start = async () => {
      server = await serve(join(programs, 'postgres'), ['-D', data, ...given], account);
    };
    await start();
    const addressOf = (database: string): DatabaseAddress => ({
      url: `postgres://postgres@127.0.0.1:${port}/${database}`,
      socketUrl: `postgres:///${database}?host=${folder}&port=${port}&user=postgres`,
    });
    const first = addressOf('postgres');
    const psql = (sql: string, { socketUrl } = first) => {
      const quiet = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', socketUrl];
      return output(join(programs, 'psql'), quiet, { input: sql });
    };
    let databases = 0;
    return {
      ...first,
      port,
      pid: () => server?.pid,
      async createDatabase() {
        databases += 1;
        await psql(`create database database_${databases}`);
        return addressOf(`database_${databases}`);
      },
      psql,
      kill,
      async restart() {
        if (server !== undefined) await endCleanly(server);
        await start();
      },
      stop,
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Runs the server until it accepts connections. */
async function serve(
  program: string,
  args: readonly string[],
  account: { readonly uid: number; readonly gid: number },
): Promise<ChildProcess> {
  const server = spawn(program, args, {
    ...account,
    cwd: '/',
    env: { LC_MESSAGES: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('close', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000);
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
    });
  });
  return server;
}

/** Ends all connections, and writes everything to the disk. */
async function endCleanly(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}
