import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Handler } from 'dealwright/http';
import { describe, expect, it } from 'vitest';
import { mountInExpress } from '../../examples/mount/express.mjs';
import { mountInFastify } from '../../examples/mount/fastify.js';
import { mountInHono } from '../../examples/mount/hono.js';
import { mountInNodeHttp } from '../../examples/mount/node-http.js';
import { mountInWebStandard } from '../../examples/mount/web-standard.js';
import { createTestHandler, tokenOf } from '../kit/service.js';

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Serves for the time of a body on a free port of this machine. */
async function withServer(server: Server, body: (send: Send) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await body((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const listening = (listener: RequestListener, body: (send: Send) => Promise<void>) =>
  withServer(createServer(listener), body);

const mounts: Readonly<
  Record<string, (handler: Handler, body: (send: Send) => Promise<void>) => Promise<void>>
> = {
  'node:http': (handler, body) => withServer(mountInNodeHttp(handler), body),
  Express: (handler, body) => listening(mountInExpress(handler), body),
  Fastify: async (handler, body) => {
    const app = mountInFastify(handler);
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await body((path, init) => fetch(baseUrl + path, init));
    } finally {
      await app.close();
    }
  },
  'Hono, without a network': (handler, body) => {
    const app = mountInHono(handler);
    return body(async (path, init) => app.request(path, init));
  },
  'Hono on Node': (handler, body) =>
    listening(getRequestListener(mountInHono(handler).fetch), body),
  'web standard': (handler, body) => {
    const { fetch } = mountInWebStandard(handler);
    return body((path, init) => fetch(new Request(`https://deals.example.com${path}`, init)));
  },
};

const deal = JSON.stringify({
  partner_id: 'order-1',
  email_freelancer: 'freelancer@example.com',
  title: 'Landing page',
  description: 'Zażółć gęślą jaźń',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
});
const authorization = `Token ${tokenOf({ environment: 'sandbox', partner: 'acme' })}`;
const headers = { authorization, 'content-type': 'application/json' };

describe.each(Object.entries(mounts))('mounted in %s', (_name, mount) => {
  it('creates a deal once, and says what is wrong with everything else', async () => {
    await mount(createTestHandler(), async (send) => {
      const post = (body: string, more: HeadersInit = headers, path = '/api/2.0/deal/') =>
        send(path, { method: 'POST', headers: more, body });
      const created = await post(deal);
      expect(created.status).toBe(201);
      expect(await created.json()).toMatchObject({ data: { status: 'created' } });
      expect((await post(deal, headers, '/api/2.0/deal')).status).toBe(409);
      expect((await post(deal, { 'content-type': 'application/json' })).status).toBe(401);
      expect((await post('{', headers)).status).toBe(400);
      expect((await post(deal, { authorization, 'content-type': 'text/plain' })).status).toBe(415);
      expect((await post(JSON.stringify('a'.repeat(2 ** 20)))).status).toBe(413);
      expect((await send('/api/1.0/contractor/', { headers: { authorization } })).status).toBe(405);
      expect((await send('/api/2.0/none/', { headers: { authorization } })).status).toBe(404);
    });
  });
});

describe('the how-to on mounting', () => {
  const howTo = readFileSync('docs/how-to/mount-in-your-framework.md', 'utf8');
  const files = readdirSync('examples/mount').filter((file) => !file.endsWith('.d.mts'));

  it.each(files)('shows %s as it was run here', (file) => {
    expect(howTo).toContain(readFileSync(`examples/mount/${file}`, 'utf8'));
  });
});
