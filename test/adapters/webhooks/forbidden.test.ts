import { isIP } from 'node:net';
import { createWebhookSender } from 'dealwright/webhooks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startDns } from './dns.js';
import { loopbackHosts, otherHosts, publicHosts } from './forbidden.js';
import { send, serve } from './servers.js';

const refused = { error: 'address_not_allowed' };
const sender = createWebhookSender();
/** A sender without the protection. */
const open = createWebhookSender({ allowPrivate: true, timeout: 2000 });

/** A server on this machine that must get no requests, and how many it got. */
async function startTrap() {
  let requests = 0;
  const { port } = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  return { port, requests: () => requests };
}

/** A sender that uses a name server of this machine, for a test. */
async function withDns<T>(
  addressesOf: Parameters<typeof startDns>[0],
  use: (sender: ReturnType<typeof createWebhookSender>, asked: Map<string, number>) => Promise<T>,
  options = {},
): Promise<T> {
  const dns = await startDns(addressesOf);
  const { resolve, asked } = dns;
  try {
    return await use(createWebhookSender({ resolve, ...options }), asked);
  } finally {
    await dns.close();
  }
}

/** The spelling of an address that the URL standard gives it. */
const addressOf = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
const addresses = (hosts: readonly string[]) =>
  hosts.map(addressOf).filter((address) => isIP(address) !== 0);

describe('the host of a URL', () => {
  it.each([...loopbackHosts, ...otherHosts])('is refused: %s', async (host) => {
    const trap = await startTrap();
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${trap.port}/`;
      expect(sender.check('sandbox', url)).toBe('address_not_allowed');
      expect(await send(sender, url)).toEqual(refused);
    }
    expect(sender.check('production', `https://${host}/`)).toBe('address_not_allowed');
    expect(trap.requests()).toBe(0);
  });

  it('would lead to this machine in most of these spellings', async () => {
    const trap = await startTrap();
    for (const host of loopbackHosts) await send(open, `http://${host}:${trap.port}/`);
    expect(trap.requests()).toBeGreaterThan(20);
  });

  it.each([
    ['production', 'https://partner.example:8443/', 'port_not_allowed'],
    ['production', 'https://partner.example:80/', 'port_not_allowed'],
    ['production', 'https://partner.example:25/', 'port_not_allowed'],
    ['production', 'https://partner.example:9443/', 'allowed'],
    ['sandbox', 'http://partner.example/', 'allowed'],
    ['sandbox', 'http://partner.example:8080/', 'port_not_allowed'],
    ['sandbox', 'https://partner.example:22/', 'port_not_allowed'],
  ] as const)('goes to an allowed port alone: %s %s', (environment, url, verdict) => {
    const own = createWebhookSender({ webhookPorts: [9443] });
    expect(own.check(environment, url)).toBe(verdict);
    expect(createWebhookSender({ allowPrivate: true }).check(environment, url)).toBe('allowed');
  });

  it('is posted to at the port that it has, though no new one may have it', async () => {
    const asked: string[] = [];
    const own = createWebhookSender({
      async resolve(name) {
        asked.push(name);
        return [];
      },
    });
    const url = 'https://partner.example:8443/';
    expect(own.check('sandbox', url)).toBe('port_not_allowed');
    expect(await send(own, url)).not.toEqual(refused);
    expect(asked).toEqual(['partner.example']);
  });

  it.each([0, 65_536, 1.5, '443'])('takes no port %s', (port) => {
    const webhookPorts = [port] as number[];
    expect(() => createWebhookSender({ webhookPorts })).toThrow(/webhookPorts is a list of ports/);
  });

  it('has one spelling of its host', () => {
    const spellings = ['https://A.example/', 'https://a.example./x', 'https://%61.example:443'];
    expect(spellings.map((url) => sender.hostOf?.(url))).toEqual(Array(3).fill('a.example'));
  });

  it.each(publicHosts)('is allowed: %s', (host) => {
    for (const url of [`https://${host}/`, `https://${host}:443/a?b`, `HTTPS://${host}`]) {
      expect(sender.check('production', url)).toBe('allowed');
    }
    expect(sender.check('sandbox', `http://${host}/`)).toBe('allowed');
  });

  it.each([
    ['http://partner.example/', 'https_required'],
    ['http://8.8.8.8/', 'https_required'],
    ['https://user:password@partner.example/', 'address_not_allowed'],
    ['https://user@partner.example/', 'address_not_allowed'],
    ['https://:password@partner.example/', 'address_not_allowed'],
    ['https://partner.example@127.0.0.1/', 'address_not_allowed'],
    ['https://127.0.0.1#@partner.example/', 'address_not_allowed'],
    ['https://127.0.0.1?@partner.example/', 'address_not_allowed'],
    ['https://127.0.0.1\\@partner.example/', 'address_not_allowed'],
    ['https:127.0.0.1', 'address_not_allowed'],
    ['https:///127.0.0.1', 'address_not_allowed'],
    ['https:\\\\127.0.0.1\\', 'address_not_allowed'],
    ['\thttps://127.0.\n0.1/', 'address_not_allowed'],
    ['https://partner.example#@127.0.0.1/', 'allowed'],
    ['', 'invalid_url'],
    ['partner.example', 'invalid_url'],
    ['//partner.example/', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://999.1.1.1/', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['https://[::1/', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['https://partner.example:99999/', 'invalid_url'],
    ['ftp://partner.example/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['gopher://partner.example/', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['data:text/plain,a', 'invalid_url'],
    ['unix:/var/run/docker.sock', 'invalid_url'],
  ])('%j in production is %s', async (url, verdict) => {
    expect(sender.check('production', url)).toBe(verdict);
    if (verdict === 'allowed') return;
    expect((await sender.send('production', { ...message, url }))._unsafeUnwrap()).toEqual(refused);
  });

  it('may be private if the host allows it, but never has user info', () => {
    for (const host of [...loopbackHosts, ...otherHosts, ...publicHosts]) {
      for (const scheme of ['http', 'https']) {
        expect(open.check('production', `${scheme}://${host}/`)).toBe('allowed');
        expect(open.check('production', `${scheme}://user@${host}/`)).toBe('address_not_allowed');
      }
    }
    expect(open.check('sandbox', 'ftp://127.0.0.1/')).toBe('invalid_url');
  });
});

const message = { id: '1', timestamp: 1, body: '{}', secrets: ['whsec_YQ=='] };
const privateAddresses = addresses([...loopbackHosts, ...otherHosts]);
const publicAddresses = addresses(publicHosts);

describe('a name', () => {
  it('is refused if a name server says an address that is not public', async () => {
    const trap = await startTrap();
    const names = new Map(privateAddresses.map((each, index) => [`n${index}.example`, each]));
    await withDns(
      (name) => [names.get(name) ?? ''],
      async (asking) => {
        for (const name of names.keys()) {
          const url = `http://${name}:${trap.port}/`;
          expect(asking.check('sandbox', url)).toBe('allowed');
          expect(await send(asking, url), names.get(name)).toEqual(refused);
        }
      },
      { webhookPorts: [trap.port] },
    );
    expect(trap.requests()).toBe(0);
  });

  it('leads to this machine if that is allowed', async () => {
    const trap = await startTrap();
    const get = (url: string) =>
      withDns(
        () => ['127.0.0.1'],
        (asking) => send(asking, url),
        { allowPrivate: true },
      );
    expect(await get(`http://a.example:${trap.port}/`)).toMatchObject({ status_code: 200 });
    expect(trap.requests()).toBe(1);
  });

  it('is refused if one of its addresses is not public, in any order', async () => {
    const trap = await startTrap();
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(publicAddresses),
        fc.constantFrom(...privateAddresses),
        fc.nat(),
        async (others, forbidden, at) => {
          const found = [...others];
          found.splice(at % (others.length + 1), 0, forbidden);
          const resolving = createWebhookSender({ resolve: async () => found });
          expect(await send(resolving, `http://a.example:${trap.port}/`)).toEqual(refused);
        },
      ),
    );
    expect(trap.requests()).toBe(0);
  });

  it.each([
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1 ',
    'localhost',
    '',
    'fe80::1%lo',
    '::1%1',
    '2606:4700:4700::1111%lo',
    '[::1]',
  ])('is refused if a resolver says %j, which is no address or has a zone', async (address) => {
    const trap = await startTrap();
    const resolve = async () => [address];
    const resolving = createWebhookSender({ resolve });
    expect(await send(resolving, `http://a.example:${trap.port}/`)).toEqual(refused);
    expect(trap.requests()).toBe(0);
  });

  it('is looked up once an attempt: what it says a moment later is not connected to', async () => {
    const trap = await startTrap();
    // of an unused range: requests to it arrive nowhere
    const rebinding = (_: string, asked: number) => [asked === 0 ? '3ffe::1' : '127.0.0.1'];
    await withDns(
      rebinding,
      async (asking, asked) => {
        const url = `http://rebinding.example:${trap.port}/`;
        const { error } = (await send(asking, url)) as { error: string };
        expect(['connection_failed', 'timeout']).toContain(error);
        expect([...asked.values()]).toEqual([1, 1]);
        expect(await send(asking, url)).toEqual(refused);
      },
      { timeout: 500 },
    );
    expect(trap.requests()).toBe(0);
  });

  it('is judged anew with each attempt, even if a connection is kept', async () => {
    const trap = await startTrap();
    let isFound = true;
    const resolve = async () => (isFound ? ['127.0.0.1'] : []);
    const keeping = createWebhookSender({ allowPrivate: true, resolve });
    const url = `http://a.example:${trap.port}/`;
    expect(await send(keeping, url)).toMatchObject({ status_code: 200 });
    isFound = false;
    expect(await send(keeping, url)).toEqual({ error: 'connection_failed' });
    expect(trap.requests()).toBe(1);
  });
});

it('a redirect to this machine is not followed', async () => {
  const trap = await startTrap();
  const { port } = await serve((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${trap.port}/` }).end();
  });
  expect(await send(open, `http://127.0.0.1:${port}/`)).toMatchObject({ status_code: 307 });
  expect(trap.requests()).toBe(0);
});
