import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { useConsole } from './console-kit.js';
import { answered, press, resultOf, tabTo } from './offer-kit.js';
import type { ScreensPage } from './portal-kit.js';

const hostile = '=<img src=x onerror=alert(1)>';
const nobodys = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const used = useConsole();
let shown: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  shown = opened;
  page = opened.page;
});

const name = 'A report matches no payment';
const card = () =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name, exact: true }) });
const rows = () => page.locator('table.list tbody tr').count();
const heading = () => page.locator('h1').innerText();
const focused = () =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.id;
  });

/** Reports that match nothing: of a deal, and of a payment of this deal, that do not exist. */
async function report(partner_id: string): Promise<void> {
  const deals = used.backEnd.operator.partner(tenant.partner);
  const paid = { status: 'paid', amount: '40.00' } as const;
  for (let at = 0; at < 6; at += 1) {
    await deals.recordEmployerPayment(hostile, { ...paid, reference: `bank ${at}` });
  }
  const payout = { payment_id: nobodys, status: 'failed', reference: hostile } as const;
  await deals.recordContractorPayment(partner_id, payout);
}

it('are counted with the first of them, and dismissed by keyboard alone', async () => {
  await page.getByText('Nothing needs you now.').waitFor();
  const { partner_id } = await used.backEnd.offer();
  await report(partner_id);
  await press(page, 'Load again');
  await expect.poll(() => card().locator('tbody tr').count()).toBe(5);
  const first = card().locator('tbody tr').first();
  expect(await first.innerText()).toMatch(
    /A payment arrived\s+40\.00[\s\S]*bank 0[\s\S]*acme[\s\S]*<img src[\s\S]*has no such deal/,
  );
  await page.getByRole('link', { name: 'Show all: 7' }).waitFor();
  await shown.check();

  await tabTo(page, 'Dismiss: bank 0');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Dismiss' });
  expect(await dialog.innerText()).toMatch(/40\.00[\s\S]*bank 0[\s\S]*acme/);
  expect(await dialog.innerText()).toContain('Nothing else changes');
  await shown.check();
  // nothing is dismissed before it is confirmed
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Dismiss: bank 0');
  const { listUnmatchedReports } = used.backEnd.operator;
  expect((await resultOf(listUnmatchedReports())).results).toHaveLength(7);
  await page.keyboard.press('Enter');
  await tabTo(page, 'Dismiss');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Show all: 6' }).waitFor();
  await expect.poll(() => page.getByRole('status').innerText()).toBe('The report is dismissed.');
  await expect.poll(() => first.innerText()).toContain('bank 1');
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  const left = (await resultOf(listUnmatchedReports())).results;
  expect(left.map(({ reference }) => reference)).not.toContain('bank 0');
  expect(left).toHaveLength(6);
});

it('are all in a list of their own, with links to what they name, and as a file', async () => {
  await page.getByRole('link', { name: 'Show all: 6' }).click();
  await expect.poll(heading).toBe('Unmatched reports');
  await expect.poll(rows).toBe(6);
  await shown.check();
  const saving = page.waitForEvent('download');
  await press(page, 'Save as CSV');
  const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^\ufeff"Report","Amount","Reference of the provider","Client","Number/);
  expect(lines).toHaveLength(7);
  expect(lines[1]).toMatch(/^"A payment arrived","40\.00","bank 1","acme","'=<img src=x[^"]*","",/);
  expect(lines[6]).toMatch(/^"A payout failed","","'=<img src=x[^"]*","acme","[^"]*","01ARZ3/);

  const last = page.locator('table.list tbody tr').last();
  const ofDeal = last.getByRole('link').nth(2);
  await ofDeal.click();
  await expect.poll(() => page.getByRole('heading', { name: 'Ledger' }).count()).toBe(1);
  await page.goBack();
  await expect.poll(rows).toBe(6);
  // a deal that does not exist is no link
  const named = page.locator('table.list tbody tr').first().getByRole('link');
  expect(await named.allInnerTexts()).toEqual(['bank 1', 'acme']);
  await named.first().click();
  await page.getByText('Nothing has this.').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('bank 1');
  await page.goBack();
});

it('leave the list one by one, until it says that none is left', async () => {
  await expect.poll(rows).toBe(6);
  for (let left = 5; left >= 0; left -= 1) {
    await page
      .getByRole('button', { name: /^Dismiss: / })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss', exact: true }).click();
    await expect.poll(rows).toBe(left);
  }
  await page.getByText('Every report matches a payment.').waitFor();
  await expect.poll(focused).toBe('next');
  await shown.check();
});

it('say so in Polish', async () => {
  await report('nobodys');
  await press(page, 'Polski');
  await press(page, 'Wczytaj ponownie');
  // those that come again stay dismissed; that of another deal is new
  await expect.poll(rows).toBe(1);
  expect(await page.locator('tbody').innerText()).toMatch(/Zleceniodawca nie ma takiego zlecenia/);
  await shown.check();
  await page.getByRole('button', { name: /^Odrzuć: / }).click();
  await page.getByText('Nic innego się nie zmieni').waitFor();
  await shown.check();
  await page.keyboard.press('Escape');
  await shown.goTo('today');
  await page.getByRole('heading', { name: 'Zgłoszenie nie pasuje do żadnej płatności' }).waitFor();
  await shown.check();
  await shown.end(answered(401));
});
