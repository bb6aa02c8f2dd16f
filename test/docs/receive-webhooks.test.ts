import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { DomainEvent } from 'dealwright';
import type { WebhookEvent } from 'dealwright/client';
import { createWebhookSender } from 'dealwright/webhooks';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import Database from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import { receiveInExpress } from '../../examples/receive-webhooks/express.js';
import { receiveInFastify } from '../../examples/receive-webhooks/fastify.js';
import { receiveInHono } from '../../examples/receive-webhooks/hono.js';
import { createInbox } from '../../examples/receive-webhooks/inbox.js';
import { createWebhookFunction } from '../../examples/receive-webhooks/lambda.js';
import { createWebhookListener } from '../../examples/receive-webhooks/node-http.js';
import { createWebhookRoute } from '../../examples/receive-webhooks/route.js';

type Act = (event: WebhookEvent) => void;

const sender = createWebhookSender({ allowPrivate: true });
const secret = sender.createSecret();
const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of running.splice(0)) await close();
});

/** Serves on a free port of this machine, and returns the address of its webhooks. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Each receiver beside another route with parsed JSON. */
const receivers = {
  async Express(secrets: readonly string[], act: Act) {
    const app = express();
    receiveInExpress(app, secrets, act);
    app.use(express.json());
    app.post('/other', ({ body }, response) => void response.json(body.a));
    // the log is the place for Express's own words about an error
    app.set('env', 'test');
    return listen(app);
  },
  async Fastify(secrets: readonly string[], act: Act) {
    const app = fastify();
    receiveInFastify(app, secrets, act);
    app.post<{ Body: { a: number } }>('/other', async ({ body }) => body.a);
    running.push(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  async Hono(secrets: readonly string[], act: Act) {
    const app = new Hono();
    receiveInHono(app, secrets, act);
    app.post('/other', async (context) => context.json((await context.req.json()).a));
    app.onError((_, context) => context.text('', 500));
    return listen(getRequestListener(app.fetch));
  },
  async 'node:http'(secrets: readonly string[], act: Act) {
    const receive = createWebhookListener(secrets, act);
    return listen((request, response) => {
      if (request.url === '/webhooks') return void receive(request, response);
      request.resume().on('end', () => response.end('1'));
    });
  },
  async 'a Request, as in Next'(secrets: readonly string[], act: Act) {
    const POST = createWebhookRoute(secrets, act);
    return listen(
      getRequestListener((request) =>
        new URL(request.url).pathname === '/webhooks'
          ? POST(request).catch(() => new Response(null, { status: 500 }))
          : request.json().then(({ a }) => Response.json(a)),
      ),
    );
  },
  async 'a function of AWS Lambda'(secrets: readonly string[], act: Act) {
    const receive = createWebhookFunction(secrets, act);
    return listen(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      if (request.url === '/other') return void response.end('1');
      // as a REST API hands them on
      const event = {
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
            String(value),
          ]),
        ),
        body: Buffer.concat(pieces).toString('base64'),
        isBase64Encoded: true,
      };
      const answer = await receive(event).catch(() => ({ statusCode: 500, body: '' }));
      response.writeHead(answer.statusCode).end(answer.body);
    });
  },
};

const event: DomainEvent = {
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  type: 'deal.completed',
  environment: 'sandbox',
  partner: 'acme',
  subject: 'deal:zażółć-1',
  sequence: 9,
  at: '2026-01-02T03:04:05.678Z',
  actor: 'clock',
  cause: null,
  data: { partner_id: 'zażółć-1', status: 'completed', freelancer_status: 'finished' },
};
const json = { 'content-type': 'application/json' };
const now = () => Math.floor(Date.now() / 1000);

/** Posts as the service does. */
async function send(base: string, timestamp: number, secrets = [secret], body = event as object) {
  const url = `${base}/webhooks`;
  const message = { url, id: event.id, timestamp, body: JSON.stringify(body), secrets };
  return (await sender.send('sandbox', message))._unsafeUnwrap();
}

/** The status of the answer. */
async function post(...sent: Parameters<typeof send>) {
  const reply = await send(...sent);
  return 'error' in reply ? reply.error : reply.status_code;
}

describe.each(Object.entries(receivers))('the receiver of the how-to: %s', (_, start) => {
  it('acts once on an event that comes again, and refuses what is not from the service', async () => {
    const db = new Database(':memory:');
    running.push(() => db.close());
    const act = createInbox(db);
    const completed = () => db.prepare('select partner_id from completed_deals').all();
    const forged = sender.createSecret();
    const base = await start([forged.replace('whsec_', 'whsec_AAAA'), secret], act);

    expect(await post(base, now(), [forged])).toBe(400);
    expect(await post(base, now() - 400)).toBe(400);
    expect(completed()).toEqual([]);
    const timestamp = now();
    expect(await post(base, timestamp)).toBe(204);
    expect(await post(base, timestamp)).toBe(400);
    expect(await post(base, timestamp - 5, [forged, secret])).toBe(204);
    expect(completed()).toEqual([{ partner_id: 'zażółć-1' }]);
    expect(await post(base, now(), [secret], { ...event, id: '2', type: 'host.own' })).toBe(204);
    expect(completed()).toHaveLength(1);

    const plain = await fetch(`${base}/webhooks`, { method: 'POST', headers: json, body: '{}' });
    expect([plain.status, await plain.json()]).toEqual([400, { code: 'invalid_webhook_headers' }]);
    const other = await fetch(`${base}/other`, { method: 'POST', headers: json, body: '{"a":1}' });
    expect(await other.text()).toBe('1');
  });

  it('asks for the event again if it could not act', async () => {
    let calls = 0;
    const base = await start([secret], () => {
      calls += 1;
      if (calls === 1) throw new Error('the database is busy');
    });
    expect(await post(base, now() - 5)).toBe(500);
    expect(await post(base, now())).toBe(204);
    expect(calls).toBe(2);
  });
});

it('a body that Express has parsed is refused with a code that says so', async () => {
  const app = express();
  app.use(express.json());
  receiveInExpress(app, [secret], () => undefined);
  const base = await listen(app);
  expect(await send(base, now())).toEqual({
    status_code: 400,
    response: '{"code":"invalid_webhook_body"}',
  });
});

it('the how-to shows the receivers', () => {
  const howTo = readFileSync('docs/how-to/receive-webhooks.md', 'utf8');
  const folder = 'examples/receive-webhooks';
  const files = readdirSync(folder);
  expect(files).toHaveLength(7);
  for (const each of files) expect(howTo).toContain(readFileSync(`${folder}/${each}`, 'utf8'));
});
