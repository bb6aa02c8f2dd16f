import { readFile } from 'node:fs/promises';
import { createDealwright } from 'dealwright/host';
import { createMemoryStore } from 'dealwright/memory';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ask } from '../../spec/store/subject.js';
import { consumption } from '../../spec/store/writes.js';
import { dealV2, tenant } from '../kit/requests.js';
import { useConsole } from './console-kit.js';
import { answered, press, resultOf, tabTo } from './offer-kit.js';
import { delivered, type ScreensPage } from './portal-kit.js';

const store = createMemoryStore();
/** Names that would be markup, another path, or another page. */
const hostile = ['<img src=x onerror=alert(1)>', '../..', '..', '?a=b#/c', '%2F', '\u202egpj.exe'];

const used = useConsole({
  store,
  partnerName: (partner) => (partner === tenant.partner ? 'Acme & Sons' : undefined),
});
let shown: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  shown = opened;
  page = opened.page;
});

const rows = () => page.locator('table.list tbody tr').count();
const heading = () => page.locator('h1').innerText();
const card = (name: string) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** A deal that is disputed. */
async function disputed() {
  const deal = await delivered(used.backEnd);
  const operator = used.backEnd.operator.partner(tenant.partner);
  const paid = { status: 'paid', amount: '500.00', reference: 'bank-1' } as const;
  await resultOf(operator.recordEmployerPayment(deal.partner_id, paid));
  await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
}

describe('what needs the operator', () => {
  it('is nothing at first', async () => {
    await page.getByText('Nothing needs you now.').waitFor();
    expect(await heading()).toBe('What needs you today');
    await shown.check();
  });

  it('is counted with its first rows, which lead to all', async () => {
    for (let at = 0; at < 7; at += 1) await disputed();
    const ago = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
    const failing = consumption('subscription:mail', { failing_since: ago, ends_at: null });
    await ask(store.commit(tenant, failing));
    await press(page, 'Load again');
    const disputes = card('A dispute is open');
    await expect.poll(() => disputes.locator('tbody tr').count()).toBe(5);
    expect(await card('A webhook fails').innerText()).toMatch(/subscription:mail[\s\S]*acme/);
    await shown.check();
    await disputes.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => disputes.locator('tbody tr').count()).toBe(7);
    await page.getByRole('link', { name: 'Show all: 7' }).click();
    await expect.poll(heading).toBe('Deals');
    await expect.poll(rows).toBe(7);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await page.getByLabel('Needs you because').inputValue()).toBe('disputed');
    await shown.check();
    await page.goBack();
    await page.getByRole('link', { name: 'Show all: 1' }).click();
    await expect.poll(heading).toBe('Failing webhooks');
    await expect.poll(rows).toBe(1);
    await shown.check();
  });

  it('is done, if it is due, by keyboard alone', async () => {
    await used.backEnd.offer({ partner_id: 'expires' });
    await shown.goTo('today');
    await page.getByRole('button', { name: 'Let deadlines pass' }).waitFor();
    await tabTo(page, 'Let deadlines pass');
    await page.keyboard.press('Enter');
    const report = 'Deadlines that have passed: 0. Failed, to be tried again: 0.';
    await page.getByText(report).first().waitFor();
    await expect.poll(() => page.getByRole('status').innerText()).toContain(report);
    await tabTo(page, 'Start payments');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Payments and refunds that were started: \d+\. Failed/)
      .first()
      .waitFor();
    await shown.check();
  });
});

describe('deals', () => {
  it('are found by what is known of them', async () => {
    const deal = await used.backEnd.offer({
      ...{ partner_id: 'found 1', title: 'A very special page' },
      email_freelancer: 'special@example.com',
    });
    await shown.goTo('deals');
    for (const [text, match] of [
      [deal.partner_id, 'number of the deal'],
      ['SPECIAL@example.com', 'e-mail'],
      ['a very special', 'title'],
    ] as const) {
      await page.getByLabel('Search').fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('tbody').innerText()).toContain(match);
      expect(await rows()).toBe(1);
    }
    await shown.check();
    // it is in the address
    await page.reload();
    await expect.poll(rows).toBe(1);
    expect(await page.getByLabel('Search').inputValue()).toBe('a very special');
    await page.getByRole('link', { name: 'A very special page' }).click();
    await expect.poll(heading).toBe('A very special page');
    await shown.goTo('deals');
    await page.getByLabel('Search').fill('nobody has this');
    await press(page, 'Search');
    await page.getByText('Nothing has this.').waitFor();
    await shown.check();
    await page.getByLabel('Search').fill('x'.repeat(201));
    await press(page, 'Search');
    await page.getByText('Check the fields that are marked.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(rows).toBeGreaterThan(1);
  });

  it('go on by cursors, are filtered, and are saved as a file that runs nothing', async () => {
    for (let at = 0; at < 20; at += 1) await used.backEnd.offer();
    await used.backEnd.offer({ title: '=HYPERLINK("https://evil.example")' });
    await shown.goTo('deals');
    await press(page, 'Load again');
    await expect.poll(rows).toBe(25);
    await press(page, 'Show more');
    const all = (await resultOf(used.backEnd.operator.listDeals({ page_size: 100 }))).results
      .length;
    await expect.poll(rows).toBe(all);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toMatch(/^list-\d+-25$/);
    const saving = page.waitForEvent('download');
    await press(page, 'Save as CSV');
    const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.length).toBe(all + 1);
    expect(lines[0]).toMatch(/^\ufeff"Title","Client","Number of the deal",/);
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""https:\/\/evil\.example""\)","acme",/);

    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('State', { exact: true }).selectOption('In dispute');
    await page.getByLabel('Client').fill(tenant.partner);
    await press(page, 'Show');
    await expect.poll(rows).toBe(7);
    await page.getByLabel('In its state since before').fill('2020-01-01');
    await press(page, 'Show');
    await page.getByText('No deal fits this filter').waitFor();
    await shown.check();
    await page.getByLabel('In its state since before').fill('2999-01-01');
    await press(page, 'Show');
    await expect.poll(rows).toBe(7);
    await page.getByLabel('Client').fill('globex');
    await press(page, 'Show');
    await page.getByText('No deal fits this filter').waitFor();
  });
});

describe('partners', () => {
  it('are listed with the names of the host, and opened by their own', async () => {
    await shown.goTo('partners');
    await expect.poll(rows).toBe(1);
    expect(await page.locator('tbody').innerText()).toMatch(/Acme & Sons[\s\S]*acme/);
    await shown.check();
    await page.getByLabel('Name in the system').fill('globex');
    await press(page, 'Open this client');
    await expect.poll(heading).toBe('globex');
    await page.getByText('This client has no webhooks.').waitFor();
    await page.getByText('Nothing was given up.').waitFor();
    await page.getByText('There are no events here yet.').waitFor();
    await shown.check();
    await shown.goTo('partners', tenant.partner);
    await page.getByText('A dispute was opened').first().waitFor();
    await shown.check();
    await page.getByRole('link', { name: 'Deals of this client' }).click();
    await expect.poll(heading).toBe('Deals');
    await shown.goTo('partners', 'x'.repeat(129));
    await page.getByText('This does not exist any more.').waitFor();
  });

  it('tell how much they have commissioned of late, to the cent', async () => {
    const { marketplace } = createDealwright({ store });
    const partner = 'initech';
    const own = marketplace.partner({ ...tenant, partner });
    let made = 0;
    const make = async (amount: string, currency: string) => {
      made += 1;
      await resultOf(own.createDealV2({ ...dealV2, partner_id: `d-${made}`, amount, currency }));
    };
    const volume = async () => {
      await shown.goTo('partners', partner);
      await page.reload();
      return card('In the last 30 days').locator('.strong').innerText();
    };
    expect(await volume()).toBe('0 deals');
    await make('0.10', 'PLN');
    expect(await volume()).toMatch(/^1 deal, PLN\s0\.10$/);
    // a number could not hold the sum
    await make('9007199254740993.01', 'PLN');
    await make('400', 'EUR');
    expect(await volume()).toMatch(/^3 deals, €400\.00 and PLN\s9,007,199,254,740,993\.11$/);
    await shown.check();
    for (let at = made; at < 100; at += 1) await make('1.00', 'USD');
    expect(await volume()).toMatch(/^100 deals, US\$97\.00, €400\.00,? and PLN/);
    await make('1.00', 'USD');
    expect(await volume()).toBe('more than 100 deals');
    await press(page, 'Polski');
    await card('W ostatnich 30 dniach').getByText('ponad 100 zleceń').waitFor();
    await shown.check();
    await press(page, 'English');
  });

  it('are shown as text, whatever they are called', async () => {
    const { marketplace } = createDealwright({ store });
    for (const partner of hostile) {
      await resultOf(marketplace.partner({ ...tenant, partner }).createDealV2(dealV2));
    }
    await shown.goTo('partners');
    await press(page, 'Load again');
    await expect.poll(rows).toBe(2 + hostile.length);
    for (const partner of hostile) {
      await shown.goTo('partners');
      await page.getByRole('link', { name: partner, exact: true }).first().click();
      await expect.poll(heading).toBe(partner);
    }
    expect(await page.locator('img').count()).toBe(0);
    await shown.check();
    await press(page, 'Polski');
    await page.getByText('Ten zleceniodawca nie ma webhooków.').waitFor();
    await shown.check();
    await shown.end(answered(400, 401, 404));
  });
});
