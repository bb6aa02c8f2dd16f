import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'dealwright/client';
import { createDealwright } from 'dealwright/host';
import { createNodeListener } from 'dealwright/node';
import { createPages } from 'dealwright/pages';
import { ok } from 'neverthrow';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNginx } from '../kit/nginx.js';
import { freePort } from '../kit/processes.js';
import { dealV2, tenant } from '../kit/requests.js';
import { answered, launchBrowser, openPage, resultOf } from '../pages/offer-kit.js';
import { expectState, give } from '../pages/portal-kit.js';

const [, conf = ''] =
  /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/how-to/put-nginx-in-front.md', 'utf8')) ?? [];
/** The lines of the how-to but for those that a page names to those who run the site. */
const asItComes = conf.replace(/^ *(?:proxy_set_header Host|client_max_body_size).*\n/gm, '');

const [token, name] = ['a-token-of-the-partner', 'deals.test'];
const errors: { readonly cause: unknown }[] = [];
const tried: string[] = [];
const sites: (string | undefined)[] = [];
const backEnd = createDealwright({
  basePath: '/deals',
  apiTokens: [[token, tenant]],
  pages: createPages(),
  proxies: 1,
  limiter: {
    take: () => ok({ allowed: true }),
    takeOther({ kind, key }) {
      if (kind === 'failed_token') tried.push(key);
      return ok({ allowed: true });
    },
  },
  onError: (report) => errors.push(report),
});
const partner = backEnd.marketplace.partner(tenant);
const listener = createNodeListener(backEnd.handler, {
  resolveCaller: ({ headers }) => (headers.cookie === 'session=1' ? tenant : undefined),
});
let connections = 0;
const server = createServer((request, response) => {
  if (request.method === 'POST') sites.push(request.headersDistinct['sec-fetch-site']?.[0]);
  listener(request, response);
}).on('connection', () => {
  connections += 1;
});

let browser: Browser;
/** Where nginx is with the lines of the how-to, and as it comes. */
const ports = { good: 0, plain: 0 };
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const [kind, text] of [
    ['good', conf],
    ['plain', asItComes],
  ] as const) {
    ports[kind] = await freePort();
    const blocks = text
      .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${port};`)
      .replace('listen 80;', `listen 127.0.0.1:${ports[kind]};`)
      .replace('deals.example.com', name);
    const nginx = await startNginx(blocks, ports[kind]);
    stops.push(nginx.stop);
  }
  browser = await launchBrowser(`--host-resolver-rules=MAP ${name} 127.0.0.1`);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  for (const stop of stops) await stop();
  server.closeAllConnections();
  server.close();
});

/** The portal by the session of the host, at a name without TLS. */
async function openDeal(kind: keyof typeof ports, partner_id: string) {
  await resultOf(partner.createDealV2({ ...dealV2, partner_id }));
  const origin = `http://${name}:${ports[kind]}`;
  const shown = await openPage(browser, origin);
  await shown.context.addCookies([{ name: 'session', value: '1', url: origin }]);
  await shown.page.goto(`${origin}/deals/portal/#/deals/${encodeURIComponent(partner_id)}`);
  await shown.page.locator('#next').waitFor();
  return shown;
}

const press = (page: Page, text: string) =>
  page.getByRole('button', { name: text, exact: true }).click();

it('behind the lines of the how-to, a session makes changes at a name without TLS', async () => {
  const { page, end } = await openDeal('good', 'A/1 ü');
  // browsers call such a name insecure, and send no Sec-Fetch-Site to it
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await give(page, 'Mark as sent');
  await expectState(page, 'New offer');
  expect(sites).toEqual([undefined]);
  expect(errors).toEqual([]);
  // the host has no webhooks
  await end(answered(404));
});

it('behind nginx as it comes, the page and the host are told which lines are missing', async () => {
  const { page, expectAccessible, end } = await openDeal('plain', 'order-2');
  await press(page, 'Mark as sent');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toContain('You are signed in');
  expect(await alert.locator('pre').innerText()).toBe(
    'proxy_set_header Host $http_host;\nclient_max_body_size 30m;',
  );
  await expectAccessible();
  expect(errors).toHaveLength(1);
  expect(String(errors[0]?.cause)).toContain(`Origin is "http://${name}:${ports.plain}"`);
  await end(answered(401, 404));
});

it('takes a file of 25 MiB, and one behind nginx as it comes is refused in words', async () => {
  const { payment_token } = await resultOf(
    partner.createDealV2({ ...dealV2, partner_id: 'order-3' }),
  );
  const freelancer = backEnd.marketplace.freelancer(tenant.environment, payment_token);
  await resultOf(freelancer.accept());
  const baseUrl = `http://127.0.0.1:${ports.good}/deals`;
  const api = createClient({ baseUrl, token });
  const content = new Uint8Array(25 * 2 ** 20).fill(65);
  const stored = await resultOf(
    api.uploadFile({ partner_id: 'order-3' }, { name: 'a.txt', content }),
  );
  expect(stored.size).toBe(content.length);

  const origin = `http://${name}:${ports.plain}`;
  const { page, open, end } = await openPage(browser, origin);
  await open(`${origin}/deals/offer/#${payment_token}`);
  const buffer = Buffer.alloc(2 * 2 ** 20, 'a');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer });
  await page.locator('#upload-1').getByText('client_max_body_size').waitFor();
  await end(answered(413));
});

it('hands on whole paths and addresses of clients, over few connections', async () => {
  const baseUrl = `http://127.0.0.1:${ports.good}/deals`;
  const api = createClient({ baseUrl, token });
  const before = connections;
  for (let at = 0; at < 20; at += 1) {
    expect((await resultOf(api.retrieveDealDetails('A/1 ü'))).partner_id).toBe('A/1 ü');
  }
  expect(connections - before).toBeLessThanOrEqual(2);
  const headers = { authorization: 'Token unknown', 'x-forwarded-for': '192.0.2.1' };
  expect((await fetch(`${baseUrl}/api/2.0/deal/`, { headers })).status).toBe(401);
  expect(tried).toEqual(['127.0.0.1']);
  const script = /src="([^"]+\.js)"/.exec(await (await fetch(`${baseUrl}/portal/`)).text())?.[1];
  const sent = await fetch(new URL(String(script), `${baseUrl}/portal/`));
  expect(sent.headers.get('content-encoding')).toBe('gzip');
});
