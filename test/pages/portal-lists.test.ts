import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, press, resultOf } from './offer-kit.js';
import { type ScreensPage, usePortal } from './portal-kit.js';

const used = usePortal();
let portal: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  portal = opened;
  page = opened.page;
});

const rows = () => page.locator('table.list tbody tr').count();

describe('the list of deals', () => {
  it('goes on by cursors, filters, and is saved as a file that runs nothing', async () => {
    for (let at = 0; at < 29; at += 1) await used.backEnd.offer();
    await used.backEnd.offer({
      title: '=HYPERLINK("https://evil.example")',
      description: '"a", b',
    });
    await portal.goTo('deals');
    await press(page, 'Load again');
    await expect.poll(rows).toBe(25);
    await portal.check();
    await press(page, 'Show more');
    await expect.poll(rows).toBe(30);
    // the focus is on the first of the new rows
    expect(await page.evaluate(() => document.activeElement?.id)).toMatch(/^list-\d+-25$/);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    const saving = page.waitForEvent('download');
    await press(page, 'Save as CSV');
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('Deals.csv');
    const text = await readFile(await saved.path(), 'utf8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines.length).toBe(31);
    expect(lines[0]).toMatch(/^\ufeff"Title","Your number of the deal","Freelancer",/);
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""https:\/\/evil\.example""\)","order-30",/);

    await press(page, 'Polski');
    const inPolish = page.waitForEvent('download');
    await press(page, 'Zapisz jako CSV');
    const polish = await readFile(await (await inPolish).path(), 'utf8');
    expect(polish).toMatch(/^\ufeff"Tytuł";"/);
    expect(polish.match(/;"500,00";"PLN";/g)).toHaveLength(30);
    await press(page, 'English');

    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Your number of the deal').fill('order-7');
    await press(page, 'Show');
    await expect.poll(rows).toBe(1);
    await page.reload();
    await expect.poll(rows).toBe(1);
    await page.getByLabel('State').selectOption('Completed');
    await page.getByLabel('Made from').fill('2020-01-01');
    await press(page, 'Show');
    await page.getByText('No deal fits this filter').waitFor();
    await portal.check();
    await page.getByLabel('E-mail of the freelancer').fill('nobody');
    await press(page, 'Show');
    await expect
      .poll(() => page.getByLabel('E-mail of the freelancer').getAttribute('aria-invalid'))
      .toBe('true');
    await portal.check();
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(rows).toBe(25);
  });
});

describe('webhooks', () => {
  it('are added with a secret that is shown once, tested, rotated and deleted', async () => {
    const heard: string[] = [];
    const receiver = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']));
      response.writeHead(heard.length === 1 ? 500 : 200).end('<b>said</b>');
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const { port } = receiver.address() as AddressInfo;
    await portal.goTo('webhooks');
    await page.getByText('There are no webhooks yet').waitFor();
    await portal.check();
    const dialog = page.getByRole('dialog');
    await press(page, 'Add a webhook');
    await dialog.getByLabel('Address').fill('not an address');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${port}/hooks`);
    await dialog.getByLabel('Kinds of events').fill('deal.created\ndeal.accepted');
    await portal.check();
    await dialog.locator('button[type=submit]').click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await portal.check();
    await press(page, 'I have kept it');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(secret);

    await press(page, 'Send a test');
    await expect.poll(rows).toBe(1);
    expect(await page.locator('.attempts').innerText()).toMatch(/500[\s\S]*<b>said<\/b>/);
    await portal.check();
    await press(page, 'Make a new secret');
    await dialog.locator('button[type=submit]').click();
    await page.getByLabel('Secret', { exact: true }).waitFor();
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret);
    await press(page, 'I have kept it');

    await press(page, 'Delete the webhook');
    await portal.check();
    await dialog.locator('button[type=submit]').click();
    await page.getByText('There are no webhooks yet').waitFor();
    expect(await resultOf(used.backEnd.partner.listWebhooks())).toEqual([]);
    expect(heard.length).toBe(1);
    receiver.closeAllConnections();
    receiver.close();
  });

  it('show what was sent and answered, and send it again', async () => {
    let answers = 0;
    const receiver = createServer((_, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 410 : 204).end();
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const { id } = await resultOf(used.backEnd.partner.createWebhook({ url }));
    const { partner_id } = await used.backEnd.offer();
    const stop = used.backEnd.start();
    await portal.goTo('webhooks', id);
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
    await portal.check();
    await press(page, 'Switch it on');
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expect.poll(() => page.locator('.title .badge').innerText()).toBe('On');
    await page.getByRole('button', { name: /^Send again: deal\.created/ }).click();
    // a relay sends it soon
    await expect
      .poll(async () => {
        await press(page, 'Load again');
        return page.locator('.attempts').first().innerText();
      })
      .toMatch(/410[\s\S]*204/);

    // and beside the deal that it tells of
    await portal.goTo('deals', partner_id);
    const sent = page
      .locator('section.card')
      .filter({ has: page.getByRole('heading', { name: 'What was sent' }) });
    await expect.poll(() => sent.locator('tbody').innerText()).toMatch(/Arrived[\s\S]*204/);
    await sent.getByRole('link', { name: url, exact: true }).waitFor();
    await portal.check();
    const before = answers;
    await sent.getByRole('button', { name: 'Send again: deal.created' }).click();
    await expect.poll(() => answers).toBeGreaterThan(before);
    await sent.getByRole('link', { name: url, exact: true }).click();
    await expect.poll(() => page.locator('h1').innerText()).toBe(url);
    await resultOf(used.backEnd.partner.deleteWebhook(id));
    await portal.goTo('deals', partner_id);
    await sent.getByText('Nothing was sent yet.').waitFor();
    await stop();
    receiver.closeAllConnections();
    receiver.close();
  });
});

describe('the feed', () => {
  it('shows events in words with their content, by kind, and looks for more', async () => {
    await portal.goTo('feed');
    await expect.poll(rows).toBe(25);
    expect(await page.locator('table.list tbody tr').first().innerText()).toMatch(
      /The offer was made[\s\S]*deal\.created[\s\S]*order-1/,
    );
    await page.locator('summary', { hasText: 'Content' }).first().click();
    expect(await page.locator('pre').first().innerText()).toContain('"partner_id": "order-1"');
    await portal.check();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Begin').selectOption('with what happens from now on');
    await press(page, 'Show');
    await page.getByText('There are no events here yet').waitFor();
    await used.backEnd.offer();
    await press(page, 'Look for more');
    await expect.poll(rows).toBe(1);
    await portal.check();
    await portal.end(answered(400, 401));
  });
});
