import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ensureTools } from './tools.js';

const runtimes = await ensureTools('runtimes');
const { default: binary, compatibilityDate } = createRequire(`${runtimes}/`)('workerd') as {
  readonly default: string;
  readonly compatibilityDate: string;
};

/**
 * Runs a module of ours as a Worker, in the runtime of Cloudflare Workers and without Node's own
 * modules, on a free port of this machine. The Worker may call only this machine.
 */
export async function serveWorker(
  code: string,
  folder: string,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  writeFileSync(join(folder, 'worker.mjs'), code);
  writeFileSync(
    join(folder, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "internet", network = ( allow = ["local"] ) ),
    ( name = "main", worker = (
      modules = [( name = "worker.mjs", esModule = embed "worker.mjs" )],
      compatibilityDate = "${compatibilityDate}",
    ) ),
  ],
  sockets = [( name = "http", address = "127.0.0.1:0", http = (), service = "main" )],
);
`,
  );
  const child = spawn(binary, ['serve', '--control-fd=3', join(folder, 'worker.capnp')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints += text;
  });
  try {
    const port = await Promise.race([
      portOf(child.stdio[3] as Readable),
      ended.then(() => undefined),
    ]);
    if (port === undefined) throw new Error(`workerd did not begin: ${complaints}`);
    return { baseUrl: `http://127.0.0.1:${port}`, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Its message on the control channel as soon as it listens. */
async function portOf(control: Readable): Promise<number | undefined> {
  let said = '';
  for await (const text of control) {
    said += text;
    const [, port] = /"event":"listen".*"port":(\d+)/.exec(said) ?? [];
    if (port !== undefined) return Number(port);
  }
  return undefined;
}
