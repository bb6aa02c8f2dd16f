import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackages } from '../../kit/debian.js';
import { contractor, deal } from '../../kit/requests.js';
import { ensureTools } from '../../kit/tools.js';
import { serveWorker } from '../../kit/workerd.js';
import { tour } from './runtime-tour.js';
import { token } from './tour-service.js';
import { listen, openStops } from './tour-stops.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = join(root, 'test/adapters/client');
const folder = mkdtempSync(join(tmpdir(), 'dealwright-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { exports: entryPoints } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, { readonly default: string } | string>>;
};
const alias = Object.fromEntries(
  Object.entries(entryPoints).flatMap(([entryPoint, target]) => {
    if (typeof target === 'string') return [];
    const source = target.default.replace('./dist/', root).replace(/\.js$/, '.ts');
    return [[`dealwright${entryPoint.slice(1)}`, source]];
  }),
);

/** A module of one file, which cannot load anything of Node. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias,
  });
  return outputFiles[0]?.text ?? '';
}

const long = new Uint8Array(2 ** 20).map((_, at) => at % 251);
const uploads = (isWhole: boolean) =>
  [Buffer.from('Once upon a time'), long].flatMap((bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const size = bytes.length;
    const kinds = ['bytes', 'blob', 'file', 'stream', 'iterable'];
    return kinds.flatMap((kind) => {
      // a content that can be read only once has no known size, unless it had to be read first
      const isKnown = isWhole || !/stream|iterable/.test(kind);
      const last = isKnown ? { sent: size, total: size } : { sent: size };
      return [null, last].map((told) => ['ż".txt', size, hash, told, true]);
    });
  });

/** The values of the tour in every runtime. */
const expected = {
  registered: { contractor_email: contractor.email },
  attemptsOfCreates: 3,
  again: 'deal_exists',
  uploads: uploads(false),
  files: Array.from({ length: 20 }, () => 'ż".txt'),
  details: '..',
  listed: ['..', deal.partner_id],
  categories: true,
  statuses: [200, 201, 409],
  hasRequestIds: true,
  refused: ['rate_limited', 1],
  waited: true,
  redirected: Array.from({ length: 3 }, () => ['unexpected_response', 307]),
  moved: [308, 400, 'validation_failed', 200, true],
  created: ['validation_failed', 'unauthorized'],
  unreachable: 'unavailable',
  late: ['unavailable', 'unknown'],
  stoppedBefore: ['aborted', 'none'],
  unreadable: Array.from({ length: 4 }, () => ['validation_failed', ['unreadable']]),
  endless: ['aborted', 'unavailable', 'aborted', 'unavailable'].map((code) => [
    code,
    'unknown',
    true,
  ]),
  stoppedAfter: ['unknown', 'none', 'unknown', 'unknown'].map((each) => ['aborted', each, 1]),
};
const expectedInBrowser = {
  ...expected,
  // a browser streams nothing, and hides redirects and their targets
  uploads: uploads(true),
  redirected: Array.from({ length: 3 }, () => ['unexpected_response', 0]),
  moved: [0, 400, 'validation_failed', 200, true],
};

const runtimes = await ensureTools('runtimes');
const bin = (name: string) => join(runtimes, '.bin', name);
const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  Node: [process.execPath],
  Deno: [bin('deno'), 'run', '--quiet', '--no-config', '--allow-net=127.0.0.1'],
  Bun: [bin('bun'), 'run'],
};

/** The output of a program; the program and its children end with this test. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own: some of these commands start the runtime as another process
    detached: true,
    env: {
      ...process.env,
      NO_COLOR: '1',
      DENO_DIR: join(folder, 'deno'),
      DENO_NO_UPDATE_CHECK: '1',
    },
  });
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), 50_000);
  try {
    const ended = once(child, 'close');
    const [printed, complaints] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    if (child.exitCode !== 0) throw new Error(`${command} ended so: ${complaints}`);
    return printed;
  } finally {
    clearTimeout(timer);
  }
}

describe('the client does the whole tour', () => {
  it.each(Object.entries(commands))('in %s', async (name, [command, ...args]) => {
    const { stops, followed, close } = await openStops('https://deals.example.com');
    const file = join(folder, `${name}.mjs`);
    try {
      writeFileSync(
        file,
        await bundle(`import { tour } from './runtime-tour.js';
          console.log(JSON.stringify(await tour(${JSON.stringify(stops)})));`),
      );
      expect(JSON.parse(await run(command, [...args, file]))).toEqual(expected);
      expect(followed).toEqual([]);
    } finally {
      await close();
    }
  });

  it('in workerd, the runtime of Cloudflare Workers', async () => {
    const { stops, followed, close } = await openStops('https://deals.example.com');
    try {
      // in Workers, requests and timers belong to a request: begin with one
      const code = await bundle(`import { tour } from './runtime-tour.js';
        const stops = ${JSON.stringify(stops)};
        export default { fetch: async () => Response.json(await tour(stops)) };`);
      const worker = await serveWorker(code, mkdtempSync(join(folder, 'workerd-')));
      try {
        const response = await fetch(worker.baseUrl);
        expect(JSON.parse(await response.text())).toEqual(expected);
        expect(followed).toEqual([]);
      } finally {
        await worker.close();
      }
    } finally {
      await close();
    }
  });
});

describe('the service in workerd', () => {
  it('answers the whole tour', async () => {
    const { stops, close } = await openStops('https://deals.example.com');
    try {
      const worker = await serveWorker(
        await bundle("export { default } from './worker-service.js';"),
        mkdtempSync(join(folder, 'workerd-')),
      );
      try {
        expect(await tour({ ...stops, baseUrl: worker.baseUrl })).toEqual(expected);
      } finally {
        await worker.close();
      }
    } finally {
      await close();
    }
  });

  it('tells a client that is still sending 30 MB that it need not', async () => {
    const worker = await serveWorker(
      await bundle("export { default } from './worker-service.js';"),
      mkdtempSync(join(folder, 'workerd-')),
    );
    const send = async (headers: Record<string, string>) => {
      const body = new Blob([new Uint8Array(30e6)], { type: 'application/json' });
      const response = await fetch(`${worker.baseUrl}/api/1.0/contractor/`, {
        method: 'POST',
        headers,
        body,
      });
      return [response.status, (await response.json()).code];
    };
    try {
      for (let time = 0; time < 5; time += 1) {
        expect(await send({})).toEqual([401, 'unauthorized']);
        expect(await send({ authorization: `Token ${token}` })).toEqual([413, 'payload_too_large']);
      }
    } finally {
      await worker.close();
    }
  });
});

describe('in Chromium the client', () => {
  let browser: Browser;
  beforeAll(async () => {
    ensurePackages('chromium');
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
  }, 600_000);
  afterAll(() => browser?.close());

  /** Runs a line in a page of this host; the service admits only `127.0.0.1`. */
  async function inPage(host: string, line: string) {
    const code = await bundle(`export { tour } from './runtime-tour.js';
      export { createClient } from 'dealwright/client';`);
    const server = await listen(({ url }, response) => {
      const isCode = url === '/client.mjs';
      response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
      response.end(isCode ? code : '<!doctype html><title>A page of a partner</title>');
    });
    const { stops, followed, close } = await openStops(server.baseUrl);
    const page = await browser.newPage();
    try {
      await page.goto(server.baseUrl.replace('127.0.0.1', host));
      // as text, so that nothing rewrites the import
      const told = await page.evaluate(`import('/client.mjs').then(({ tour, createClient }) => {
        const stops = ${JSON.stringify(stops)};
        return ${line};
      })`);
      return { told, followed };
    } finally {
      await page.close();
      await close();
      await server.close();
    }
  }

  it('does the whole tour of a service on another origin, which allows it', async () => {
    const { told, followed } = await inPage('127.0.0.1', 'tour(stops)');
    expect(told).toEqual(expectedInBrowser);
    expect(followed).toEqual([]);
  });

  it('reaches nothing from an origin that the service does not allow', async () => {
    const { told } = await inPage(
      'localhost',
      'createClient({ ...stops, attempts: 1 }).listCategories()',
    );
    expect(told).toMatchObject({ error: { code: 'unavailable', port: 'transport' } });
  });
});
