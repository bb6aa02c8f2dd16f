import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createNodeListener } from 'dealwright/node';
import { beforeAll, expect, it } from 'vitest';
import { runLaws } from '../../scripts/hosts/laws.mjs';
import { runRequests } from '../../scripts/hosts/requests.mjs';
import { ensurePackages } from '../kit/debian.js';
import { dealwright } from './judged-deals.js';

const run = promisify(execFile);

// one of each listener, of Node and of the Fetch standard: `npm run hosts` runs all
const hosts = ['express', 'hono'];
// what a host can spoil: paths, methods, headers, bodies, files
const laws = 'i,4/files,4/paths,5';

// the pages are opened in a browser
beforeAll(() => ensurePackages('chromium'), 600_000);

it('keeps the laws through a real project of each of these hosts', async () => {
  const args = ['scripts/hosts.mjs', '--link', '--only', hosts.join(), '--laws', laws];
  const { stdout } = await run(process.execPath, args).catch((failure) => failure);
  const results = stdout.split('\n').filter((line: string) => /^(?:ok|FAIL) /.test(line));
  expect(results, stdout).toHaveLength(hosts.length);
  expect(stdout).not.toContain('FAIL');
  expect(stdout.match(/\| (\d{3,4}) of \1 \| (\d+) of \2 \| yes \|/g), stdout).toHaveLength(
    hosts.length,
  );
}, 600_000);

/** Serves while a function runs, on a free port of this machine. */
async function serving<T>(listener: RequestListener, body: (baseUrl: string) => Promise<T>) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}/deals`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

it('judges nothing if nothing is served, and finds each request failed', async () => {
  const nothing: RequestListener = (_request, response) => response.writeHead(404).end();
  await expect(serving(nothing, runLaws)).rejects.toThrow('/openapi.json');
  const requests = await serving(nothing, runRequests);
  expect(requests.passed).toEqual([]);
});

it('finds what a host spoils, and an exception that is none', async () => {
  const deals = createNodeListener(dealwright.handler);
  const spoiling: RequestListener = (request, response) => {
    if (request.url === '/') return response.end('This page is of a host itself.');
    // a router that decodes the path, and drops the session
    request.url = request.url?.replace('%2F', '/');
    delete request.headers.cookie;
    return deals(request, response);
  };
  const { failures } = await serving(spoiling, (baseUrl) =>
    runRequests(baseUrl, { HEAD: 'planted', 'own users': 'planted' }),
  );
  expect(failures.map((failure) => failure.split(':')[0])).toEqual(['encoded id', 'HEAD']);
});
