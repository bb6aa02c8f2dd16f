import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { createWebhookSender } from 'dealwright/webhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensureTools } from '../../kit/tools.js';
import { isLong } from '../../tiers.js';
import { send } from './servers.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'dealwright-tls-'));
const certificate = join(folder, 'certificate.pem');
const seen: { readonly host: string | undefined; readonly name: unknown }[] = [];
let close = async () => {};
let connections = 0;
let port = 0;

beforeAll(async () => {
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=partner.example', '-addext', 'subjectAltName=DNS:partner.example'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  await run('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate]);
  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createServer(options, (request, response) => {
    const { servername } = request.socket as TLSSocket & { readonly servername?: unknown };
    seen.push({ host: request.headers.host, name: servername });
    request.resume().on('end', () => response.end('secure'));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
beforeEach(() => {
  seen.length = 0;
  connections = 0;
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

it('gives nothing to a server whose certificate is not trusted', async () => {
  const resolve = async () => ['127.0.0.1'];
  const sender = createWebhookSender({ allowPrivate: true, resolve });
  for (const name of ['partner.example', 'other.example', '127.0.0.1']) {
    const reply = await send(sender, `https://${name}:${port}/`);
    expect(reply).toEqual({ error: 'connection_failed' });
  }
  expect(connections).toBe(3);
  expect(seen).toEqual([]);
});

type Runtime = readonly [string, readonly string[]];
async function otherRuntimes(): Promise<readonly Runtime[]> {
  const runtimes = await ensureTools('runtimes');
  const deno = [join(runtimes, '.bin/deno'), 'run', '--quiet', '-A', '--node-modules-dir=manual'];
  return [
    ['Bun', [join(runtimes, '.bin/bun')]],
    ['Deno', deno],
  ];
}

// each runtime has its own node:https: it must not look the name up again
it.each<Runtime>([['Node', [process.execPath]], ...(isLong ? await otherRuntimes() : [])])(
  'checks the certificate against the name, and connects to an address: %s',
  async (_, [command = '', ...args]) => {
    const env = {
      ...process.env,
      NODE_EXTRA_CA_CERTS: certificate,
      DENO_CERT: certificate,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      // a port without a listener
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
    };
    const program = 'test/adapters/webhooks/tls.mjs';
    const { stdout } = await run(command, [...args, program, String(port)], { env });
    const good = { status_code: 200, response: 'secure' };
    const failed = { error: 'connection_failed' };
    expect(JSON.parse(stdout)).toEqual([good, good, good, failed, failed]);
    const name = 'partner.example';
    expect(seen).toEqual([
      { host: `${name}:${port}`, name },
      { host: `${name}:${port}`, name },
      { host: `${name}.:${port}`, name },
    ]);
  },
);
