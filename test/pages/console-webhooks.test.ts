import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStore } from 'dealwright/memory';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ask } from '../../spec/store/subject.js';
import { changeOf, committed, delivery, writeOf } from '../../spec/store/writes.js';
import { tenant } from '../kit/requests.js';
import { useConsole } from './console-kit.js';
import { answered, press, resultOf } from './offer-kit.js';
import type { ScreensPage } from './portal-kit.js';

const store = createMemoryStore();
const used = useConsole({ store });
let shown: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  shown = opened;
  page = opened.page;
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
    used.backEnd.partner.createWebhook({ url: `http://127.0.0.1:${port}/hooks` }),
  );
  return {
    ...{ heard, webhook },
    close() {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

/** Deliveries of a deal to a webhook that have failed for good, and since when. */
async function giveUp(webhook_id: string, partner_id: string, series: number): Promise<string> {
  const ago = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
  for (let at = 0; at < 27; at += 1) {
    const id = `01KDVE000000000000000${series}${String(at).padStart(4, '0')}`;
    const failed = { status: 'failed', failed_at: ago, due_at: null, tries: 10 } as const;
    const own = { ...failed, attempts: '[]', type: 'deal.created', subject: `deal:${partner_id}` };
    const made = delivery(`webhook:${webhook_id}`, id, { ...own, sequence: 1 });
    expect(await ask(store.commit(tenant, made))).toEqual(committed);
  }
  return ago;
}

it('shows a webhook that is gone, switches it on, and sends again what failed', async () => {
  let status = 410;
  const { webhook, heard, close } = await received(() => status);
  await used.backEnd.offer();
  const stop = used.backEnd.start();
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
  const count = (await resultOf(used.backEnd.partner.listDeliveries(webhook.id))).results.length;
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

it('shows beside a deal what was sent of it, and sends one again', async () => {
  const { webhook, close } = await received(() => 500);
  const { partner_id } = await used.backEnd.offer();
  await giveUp(webhook.id, partner_id, 0);
  await shown.openDeal(tenant.partner, partner_id);
  const sent = page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: 'What was sent' }) });
  const count = () => sent.locator('tbody tr').count();
  await expect.poll(count).toBe(25);
  await sent.getByRole('link', { name: webhook.url }).first().waitFor();
  await shown.check();
  await sent.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(count).toBe(27);
  await sent.getByRole('button', { name: 'Send again: deal.created' }).first().click();
  await expect.poll(() => sent.locator('tbody tr').first().innerText()).toContain('Waiting');
  expect(await page.getByRole('status').innerText()).toContain('Delivery: Waiting');
  // a webhook that was deleted meanwhile: it is said beside the list, and the deal stays
  await resultOf(used.backEnd.partner.deleteWebhook(webhook.id));
  await sent.getByRole('button', { name: 'Send again: deal.created' }).first().click();
  await sent.getByRole('alert').getByText('This does not exist any more.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/-notice$/);
  await shown.check();
  await sent.getByRole('button', { name: 'Load again' }).click();
  await sent.getByText('Nothing was sent yet.').waitFor();
  await shown.goTo('deals', tenant.partner, 'nothing');
  close();
});

it('shows what was given up of a partner, and sends one again', async () => {
  const { webhook, close } = await received(() => 500);
  const ago = await giveUp(webhook.id, 'order-1', 1);
  const consumer = `webhook:${webhook.id}`;
  const failing = writeOf({ change: [changeOf('consumer', consumer, { failing_since: ago })] });
  await ask(store.commit(tenant, failing));
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
