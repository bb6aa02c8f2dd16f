import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookSender } from 'dealwright/webhooks';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { message, secret, send, serve, serveTcp } from './servers.js';

const sender = createWebhookSender({ allowPrivate: true });
/** For endless answers: the time-out is expected. */
const hasty = createWebhookSender({ allowPrivate: true, timeout: 300 });
const kilobyte = 1024;

/** Serves a raw answer. */
async function answering(...pieces: readonly string[]): Promise<string> {
  const port = await serveTcp((socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  });
  return `http://127.0.0.1:${port}/`;
}

describe('what is sent', () => {
  it('is the body, signed with each secret, to the path and the query', async () => {
    const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    const seen: unknown[] = [];
    const { port } = await serve(async (request, response) => {
      const { method, url, headers } = request;
      const body = (await request.toArray()).join('');
      seen.push({ method, url, headers, body });
      response.writeHead(204).end();
    });
    const body = '{"name":"Zażółć \u{1F600}"}';
    const sent = { id: 'evt_1', timestamp: 1_700_000_000, body, secrets: [secret, other] };
    const url = `http://LocalHost:${port}/a/b%20c?d=e&f#fragment`;
    expect(await send(sender, url, sent)).toEqual({ status_code: 204, response: '' });
    const at = new Date(1_700_000_000_000);
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/a/b%20c?d=e&f',
        body,
        headers: {
          host: `localhost:${port}`,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'accept-encoding': 'identity',
          'user-agent': 'Dealwright-Webhooks',
          connection: 'keep-alive',
          'webhook-id': 'evt_1',
          'webhook-timestamp': '1700000000',
          'webhook-signature': [secret, other]
            .map((each) => new Webhook(each).sign('evt_1', at, body))
            .join(' '),
        },
      },
    ]);
  });

  it('goes through one connection, one message after the other', async () => {
    let connections = 0;
    const { port, server } = await serve((request, response) => {
      request.resume().on('end', () => response.end('x'.repeat(64 * kilobyte)));
    });
    server.on('connection', () => {
      connections += 1;
    });
    const one = createWebhookSender({ allowPrivate: true });
    for (let turn = 0; turn < 3; turn += 1) await send(one, `http://127.0.0.1:${port}/`);
    expect(connections).toBe(1);
  });

  it('goes to the next address if one takes no connection', async () => {
    const { port } = await serve((_, response) => response.end('here'));
    const resolve = async () => ['127.0.0.2', '::1', '127.0.0.1'];
    const several = createWebhookSender({ allowPrivate: true, resolve });
    expect(await send(several, `http://partner.example:${port}/`)).toEqual({
      status_code: 200,
      response: 'here',
    });
  });
});

describe('a response', () => {
  it.each([200, 201, 204, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503, 599])(
    'is a reply with the status %i, and is followed nowhere',
    async (status) => {
      let trapped = 0;
      const trap = await serve((_, response) => {
        trapped += 1;
        response.end();
      });
      const location = `http://127.0.0.1:${trap.port}/`;
      const { port } = await serve((_, response) => {
        response.writeHead(status, { location }).end();
      });
      const reply = await send(sender, `http://127.0.0.1:${port}/`);
      expect(reply).toEqual({ status_code: status, response: '' });
      expect(trapped).toBe(0);
    },
  );

  it('is kept by its first kilobyte, and counts if it has more than 64', async () => {
    let broken = 0;
    const { port } = await serve((_, response) => {
      // an endless answer
      const write = () => {
        while (response.write('ab'.repeat(kilobyte)));
        response.once('drain', write);
      };
      response.on('close', () => {
        broken += 1;
      });
      write();
    });
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toEqual({
      status_code: 200,
      response: 'ab'.repeat(kilobyte / 2),
    });
    await expect.poll(() => broken).toBe(1);
  });

  it('is text that a store can keep, with any bytes', async () => {
    const bodies = fc.uint8Array({ minLength: 0, maxLength: 3 * kilobyte });
    let body = new Uint8Array();
    const { port } = await serve((_, response) => response.end(body));
    await fc.assert(
      fc.asyncProperty(bodies, async (bytes) => {
        body = bytes;
        const reply = await send(sender, `http://127.0.0.1:${port}/`);
        const { response } = reply as { response: string };
        expect(response.isWellFormed()).toBe(true);
        expect(response).not.toContain('\0');
        expect(response.length).toBeLessThanOrEqual(kilobyte);
      }),
    );
  });

  it.each([
    ['a\0b', 'a\uFFFDb'],
    [Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    [Buffer.from([0x61, 0xc5]), 'a\uFFFD'],
    [`${'x'.repeat(1023)}ł`, 'x'.repeat(1023)],
    [`${'x'.repeat(1022)}ł`, `${'x'.repeat(1022)}ł`],
    [`${'x'.repeat(1021)}\u{1F600}tail`, 'x'.repeat(1021)],
  ])('is decoded leniently: %#', async (body, response) => {
    const { port } = await serve((_, answer) => answer.end(body));
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toEqual({ status_code: 200, response });
  });

  it.each([
    ['no HTTP', ['hello\r\n\r\n']],
    ['a status that is not a number', ['HTTP/1.1 abc OK\r\n\r\n']],
    ['headers without end', ['HTTP/1.1 200 OK\r\n', `X: ${'x'.repeat(100_000)}\r\n`]],
    ['two lengths', ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab']],
    ['a body that breaks off', ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab']],
    ['a chunk without a size', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n']],
  ])('is invalid if there is %s', async (_, pieces) => {
    expect(await send(sender, await answering(...pieces))).toEqual({ error: 'invalid_response' });
  });
});

describe('a connection', () => {
  it('that no server takes has failed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toEqual({ error: 'connection_failed' });
  });

  it('that is reset or ends without an answer has failed', async () => {
    const reset = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const closed = await serveTcp((socket) => socket.once('data', () => socket.end()));
    const upgraded = await answering(
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    );
    for (const url of [`http://127.0.0.1:${reset}/`, `http://127.0.0.1:${closed}/`, upgraded]) {
      expect(await send(sender, url)).toEqual({ error: 'connection_failed' });
    }
  });

  it('has failed if the name has no address', async () => {
    const rejects = () => Promise.reject(new Error('ENOTFOUND'));
    const throws = () => {
      throw new Error('broken');
    };
    for (const resolve of [async () => [], rejects, throws]) {
      const failing = createWebhookSender({ resolve });
      const reply = await send(failing, 'http://partner.example/');
      expect(reply).toEqual({ error: 'connection_failed' });
    }
    expect(await send(sender, 'http://partner.invalid/')).toEqual({ error: 'connection_failed' });
  });
});

describe('the time-out', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';
  const trickle = (first: string, next: string) =>
    serveTcp((socket) => {
      socket.write(first);
      const timer = setInterval(() => socket.write(next), 20);
      socket.on('close', () => clearInterval(timer));
    });

  it.each([
    ['there is no answer', () => serveTcp(() => undefined)],
    ['headers trickle', () => trickle(head, 'X: y\r\n')],
    ['a body trickles', () => trickle(`${head}\r\n`, '1\r\nx\r\n')],
    ['interim answers go on', () => trickle('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('ends an attempt if %s', async (_, start) => {
    expect(await send(hasty, `http://127.0.0.1:${await start()}/`)).toEqual({ error: 'timeout' });
  });

  it('ends an attempt if a name is not found, and nothing is sent afterwards', async () => {
    let requests = 0;
    const { port } = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    let found = (_: readonly string[]) => {};
    const resolve = () =>
      new Promise<readonly string[]>((done) => {
        found = done;
      });
    const waiting = createWebhookSender({ allowPrivate: true, timeout: 50, resolve });
    expect(await send(waiting, `http://partner.example:${port}/`)).toEqual({ error: 'timeout' });
    found(['127.0.0.1']);
    // a later request is answered: the first one would have arrived before it
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toMatchObject({ status_code: 200 });
    expect(requests).toBe(1);
  });

  it('leaves time for the addresses after one that is silent', async () => {
    const { port } = await serve((_, response) => response.end());
    // packets to this address, of a documentation range, get no answer, or are refused
    const resolve = async () => ['203.0.113.1', '127.0.0.1'];
    const patient = createWebhookSender({ allowPrivate: true, timeout: 2000, resolve });
    const reply = await send(patient, `http://partner.example:${port}/`);
    expect(reply).toMatchObject({ status_code: 200 });
  });

  it('is longer than connections are kept', async () => {
    const { port } = await serve((_, response) => void setTimeout(() => response.end(), 4500));
    expect(await send(sender, `http://127.0.0.1:${port}/`)).toMatchObject({ status_code: 200 });
  });
});

describe('createWebhookSender', () => {
  it.each([
    { allowPrivate: 1 },
    { timeout: 0 },
    { timeout: 1.5 },
    { timeout: 2 ** 31 },
    { timeout: '15' },
    { resolve: [] },
  ])('throws for %j', (options) => {
    expect(() => createWebhookSender(options as object)).toThrow(TypeError);
  });

  it('makes secrets that sign', () => {
    const secrets = [sender.createSecret(), sender.createSecret()];
    expect(new Set(secrets).size).toBe(2);
    for (const each of secrets) {
      expect(each).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(new Webhook(each).sign('a', new Date(0), '')).toMatch(/^v1,/);
    }
  });

  it.each([
    { secrets: [] },
    { secrets: ['whsec_'] },
    { secrets: ['whsec_not base64'] },
    { id: 'a\r\nb: c' },
  ])('is unavailable if it cannot sign or send, and says no secret: %j', async (changes) => {
    const { port } = await serve((_, response) => response.end());
    const sent = await sender.send('sandbox', message(`http://127.0.0.1:${port}/`, changes));
    expect(sent._unsafeUnwrapErr()).toEqual({
      code: 'unavailable',
      outcome: 'none',
      retryable: false,
      cause: { reason: 'cannot_sign_or_send' },
    });
  });
});
