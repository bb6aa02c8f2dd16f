import { getServers, setServers } from 'node:dns/promises';
import { createWebhookSender } from 'dealwright/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { nameServerResolve } from '../../../adapters/webhooks/addresses.js';
import { startDns } from './dns.js';
import { send, serve } from './servers.js';

const before = getServers();
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  setServers(before);
  for (const each of running.splice(0)) await each.close();
});

/** A name server of this machine, used by the process until the test ends. */
async function ask(addressesOf: Parameters<typeof startDns>[0]) {
  const dns = await startDns(addressesOf);
  running.push(dns);
  setServers([dns.server]);
  return dns;
}

it.each(['localhost', 'LOCALHOST.', 'hooks.localhost', 'Hooks.LocalHost.'])(
  'in development, %s is this machine, and otherwise refused',
  async (name) => {
    const { port } = await serve((_, response) => response.writeHead(204).end());
    const url = `http://${name}:${port}/`;
    const open = createWebhookSender({ allowPrivate: true });
    expect(await send(open, url)).toEqual({ status_code: 204, response: '' });
    const strict = createWebhookSender({ webhookPorts: [port] });
    expect(strict.check('sandbox', url)).toBe('address_not_allowed');
  },
);

describe('the names of webhooks that strangers choose', () => {
  it('are asked of name servers, and a silent one keeps no other name waiting', async () => {
    const { asked } = await ask((name) => (name.startsWith('silent') ? 'silent' : ['127.0.0.1']));
    const sender = createWebhookSender({ timeout: 2_000 });
    let ended = 0;
    const silent = Array.from({ length: 20 }, async (_, at) => {
      const reply = await send(sender, `http://silent-${at}.example/`);
      ended += 1;
      return reply;
    });
    await expect.poll(() => asked.size).toBe(40);
    const reply = await send(sender, 'http://partner.example/');
    expect(reply).toEqual({ error: 'address_not_allowed' });
    expect(ended).toBe(0);
    const replies = await Promise.all(silent);
    expect(new Set(replies.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"error":"timeout"}']),
    );
  });

  it('have the addresses of both families in turn, and of one if the other has none', async () => {
    const [four, six] = [
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
      ['2001:db8::1', '2001:db8::2'],
    ];
    await ask((name) => (name === 'both.example' ? [...four, ...six] : six));
    const both = await nameServerResolve('both.example');
    expect(both.map((address) => address.includes(':'))).toEqual([false, true, false, true, false]);
    expect([...both].sort()).toEqual([...four, ...six]);
    expect([...(await nameServerResolve('six.example'))].sort()).toEqual(six);
  });
});
