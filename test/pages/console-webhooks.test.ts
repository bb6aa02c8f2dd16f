import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStore } from 'dealwright/memory';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../spec/store/subject.js';
import { changeOf, delivery, writeOf } from '../../spec/store/writes.js';
import { tenant } from '../kit/requests.js';
import { type ConsolePage, openConsole, openOperatorBackEnd } from './console-kit.js';
import { answered, type BackEnd, launchBrowser, press, resultOf } from './offer-kit.js';

const store = createMemoryStore();
let browser: Browser;
let backEnd: BackEnd;
let shown: ConsolePage;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  backEnd = await openOperatorBackEnd(undefined, { store });
  shown = await openConsole(browser, backEnd, { viewport: { width: 320, height: 640 } });
  page = shown.page;
  await shown.signIn();
}, 600_000);
afterAll(async () => {
  await backEnd?.close();
  await browser?.close();
});

const rows = () => page.locator('table.list tbody tr').count();
const dialog = () => page.getByRole('dialog');

/** A webhook whose receiver answers with this status, and says so. */
async function received(answer: () => number) {
  const heard: string[] = [];
  const receiver = createServer((request, response) => {
    heard.push(String(request.headers['webhook-id']));
    response.writeHead(answer()).end('<b>said</b>');
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  const webhook = await resultOf(
    backEnd.partner.createWebhook({ url: `http://127.0.0.1:${port}/hooks` }),
  );
  return {
    ...{ heard, webhook },
    close() {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

it('shows a webhook that is gone, switches it on, and sends again what failed', async () => {
  let status = 410;
  const { webhook, heard, close } = await received(() => status);
  await backEnd.offer();
  const stop = backEnd.start();
  await shown.goTo('partners', tenant.partner);
  await page.getByRole('link', { name: webhook.url }).first().click();
  await expect.poll(() => page.locator('h1').innerText()).toBe(webhook.url);
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator('h1').waitFor();
        return page.locator('.title .badge').innerText();
      },
      { timeout: 60_000 },
    )
    .toBe('Off: it has answered that it is gone');
  expect(await page.locator('.attempts').first().innerText()).toMatch(/410[\s\S]*<b>said<\/b>/);
  await shown.check();
  status = 204;
  await press(page, 'Switch it on');
  await shown.check();
  await dialog().locator('button[type=submit]').click();
  await expect.poll(() => page.locator('.title .badge').innerText()).toBe('On');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('next');
  const before = heard.length;
  await page
    .getByRole('button', { name: /^Send again: deal\.created/ })
    .first()
    .click();
  await expect.poll(() => heard.length).toBeGreaterThan(before);

  await press(page, 'Send all again since a time');
  await dialog().locator('button[type=submit]').click();
  await expect.poll(() => dialog().getByLabel('Since').getAttribute('aria-invalid')).toBe('true');
  await shown.check();
  await dialog().getByLabel('Since').fill('2020-01-01T00:00');
  await dialog().getByLabel('Which').selectOption('all');
  const count = (await resultOf(backEnd.partner.listDeliveries(webhook.id))).results.length;
  const sent = heard.length;
  await dialog().locator('button[type=submit]').click();
  await dialog().waitFor({ state: 'detached' });
  await expect
    .poll(() => page.getByRole('status').innerText())
    .toContain(`To be sent again: ${count}`);
  await expect.poll(() => heard.length).toBe(sent + count);
  await shown.check();
  await stop();
  close();
});

it('shows what was given up of a partner, and sends one again', async () => {
  const { webhook, close } = await received(() => 500);
  const consumer = `webhook:${webhook.id}`;
  const ago = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
  const failing = writeOf({ change: [changeOf('consumer', consumer, { failing_since: ago })] });
  await ask(store.commit(tenant, failing));
  for (let at = 0; at < 27; at += 1) {
    const id = `01KDVE0000000000000000${String(at).padStart(4, '0')}`;
    const failed = { status: 'failed', failed_at: ago, due_at: null, tries: 10 } as const;
    const own = { ...failed, attempts: '[]', type: 'deal.created', subject: 'deal:order-1' };
    await ask(store.commit(tenant, delivery(consumer, id, { ...own, sequence: 1 })));
  }
  await shown.goTo('failing');
  await page.getByRole('link', { name: webhook.url }).waitFor();
  await page.getByRole('link', { name: tenant.partner }).first().click();
  const failed = page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: 'Messages that were given up' }) });
  const count = () => failed.locator('tbody tr').count();
  await expect.poll(count).toBe(25);
  await shown.check();
  await failed.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(count).toBe(27);
  await failed.getByRole('button', { name: 'Send again: deal.created' }).first().click();
  await expect.poll(() => failed.locator('tbody tr').first().innerText()).toContain('Waiting');
  expect(await page.getByRole('status').innerText()).toContain('Delivery: Waiting');
  await shown.check();
  await failed.getByRole('link', { name: webhook.url }).first().click();
  await expect.poll(rows).toBe(25);
  await press(page, 'Polski');
  await page.getByRole('heading', { name: 'Co wysłano' }).waitFor();
  await shown.check();
  await shown.goTo('partners', tenant.partner, 'webhooks', 'unknown');
  await page.getByText('To już nie istnieje.').waitFor();
  await shown.end(answered(400, 401, 404));
  close();
});
