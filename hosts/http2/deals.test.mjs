import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClient } from 'dealwright/client';

const folder = mkdtempSync(join(tmpdir(), 'deals-'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
let baseUrl;
let server;
let output = '';

/** Makes ids of deals that are new to the database, even if the test ran before. */
const newId = () => `order-${randomUUID().slice(0, 8)}`;

const deal = {
  email_freelancer: 'freelancer@example.com',
  title: 'Landing page',
  description: 'Texts for a landing page',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
};

/** A `fetch` over HTTP/2 without TLS: Node's own does not support it. */
async function fetchHttp2(url, { method = 'GET', headers = {}, body } = {}) {
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin);
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({
        ':method': method,
        ':path': pathname + search,
        ...Object.fromEntries(new Headers(headers)),
      });
      let head = {};
      const pieces = [];
      stream.on('response', (received) => {
        head = received;
      });
      stream.on('data', (piece) => pieces.push(piece));
      stream.on('end', () => {
        const own = Object.entries(head).filter(([name]) => !name.startsWith(':'));
        const bytes = pieces.length === 0 ? null : Buffer.concat(pieces);
        resolve(new Response(bytes, { status: head[':status'], headers: own }));
      });
      stream.on('error', reject);
      stream.end(body);
    });
  } finally {
    session.close();
  }
}

/** A free port. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts the server as `npm start` does, with a folder of its own. */
before(async () => {
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}/deals`;
  const [command, ...args] = manifest.scripts.start.split(' ');
  const path = `${join('node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, PORT: String(port), DEALS_FOLDER: folder };
  delete env.NODE_TEST_CONTEXT;
  server = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  server.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    assert.equal(server.exitCode, null, 'the server has ended');
    // the line must appear before the first request
    const isSaid = output.includes(`The deals are at ${baseUrl}\n`);
    const ready = isSaid && (await fetchHttp2(`${baseUrl}/readyz`).catch(() => undefined));
    if (ready?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the server does not answer');
});

after(async () => {
  if (server.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('its start says where its page of reference is, and a token for it', async () => {
  assert.match(output, /: demo-token$/m);
  const [, reference] = /^Their reference, .+ is at (\S+)$/m.exec(output);
  const page = await fetchHttp2(reference);
  assert.match(await page.text(), /swagger-ui/);
  assert.match(page.headers.get('content-type'), /^text\/html/);
});

test('a program creates a deal with its API token, and reads it', async () => {
  const api = createClient({ baseUrl, token: 'demo-token', fetch: fetchHttp2 });
  const partner_id = newId();
  const created = await api.createDealV2({ ...deal, partner_id });
  assert.ok(created.isOk(), JSON.stringify(created));
  assert.equal(created.value.status, 'created');
  const read = await api.retrieveDealDetails(partner_id);
  assert.equal(read.isOk() && read.value.title, 'Landing page');
});

test('somebody who is signed in creates a deal without an API token, and reads it', async () => {
  const headers = { cookie: 'session=session-of-acme', 'content-type': 'application/json' };
  const partner_id = newId();
  const body = JSON.stringify({ ...deal, partner_id });
  const created = await fetchHttp2(`${baseUrl}/api/2.0/deal/`, { method: 'POST', headers, body });
  assert.equal(created.status, 201, await created.text());
  const read = await fetchHttp2(`${baseUrl}/api/2.0/deal/${partner_id}/`, { headers });
  assert.equal((await read.json()).data.title, 'Landing page');
});

test('nobody else does', async () => {
  const answer = await fetchHttp2(`${baseUrl}/api/2.0/deal/`);
  assert.equal(answer.status, 401);
});
