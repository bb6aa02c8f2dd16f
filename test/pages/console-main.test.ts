import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { token, useConsole } from './console-kit.js';
import { expectFocusOnNext, press, resultOf } from './offer-kit.js';
import { delivered, expectState, noSession, step } from './portal-kit.js';

const used = useConsole();

it('leads a dispute from the sign-in to its end, on a phone', async () => {
  const deal = await delivered(used.backEnd, { partner_id: 'A/1 ü', title: 'Landing page' });
  const operator = used.backEnd.operator.partner(tenant.partner);
  const paid = { status: 'paid', amount: '500.00', reference: 'bank-1' } as const;
  await resultOf(operator.recordEmployerPayment(deal.partner_id, paid));
  await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
  const { page, signIn, openDeal, check, end } = await used.open({
    viewport: { width: 320, height: 640 },
  });
  await page.goto(`${used.backEnd.baseUrl}/deals/console/`);
  await page.getByLabel('API token').waitFor();
  await check();
  await page.getByLabel('API token').fill('not-a-token');
  await press(page, 'Sign in');
  await expect.poll(() => page.getByLabel('API token').getAttribute('aria-invalid')).toBe('true');
  await signIn();
  // it is kept in the tab, and nowhere else
  expect(await page.evaluate(() => Object.values(sessionStorage))).toContain(token);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await check();

  await openDeal(tenant.partner, deal.partner_id);
  await expectState(page, 'In dispute');
  expect(await page.locator('h1').innerText()).toBe('Landing page');
  expect(await step(page)).toMatch(/wait for your decision/);
  expect(await page.locator('.quote').innerText()).toMatch(/Freelancer[\s\S]*No answer\./);
  // the work is there to be judged
  const saved = page.waitForEvent('download');
  await press(page, 'Download work.txt');
  expect(await readFile(await (await saved).path(), 'utf8')).toBe('work');
  // where it is, was and can go
  const states = page.locator('.states li');
  expect(await page.locator('.states [aria-current]').innerText()).toMatch(/In dispute/);
  await expect.poll(() => states.filter({ hasText: 'can follow' }).allInnerTexts()).toHaveLength(3);
  // the ledger adds up
  const sums = await page.locator('tfoot td').allInnerTexts();
  expect(sums.map((each) => each.replace(/^.*: /, ''))).toEqual([
    expect.stringMatching(/500\.00/),
    expect.stringMatching(/500\.00/),
  ]);
  await check();

  await press(page, 'Decide the dispute');
  const dialog = page.getByRole('dialog');
  await dialog.locator('button[type=submit]').click();
  await expect.poll(() => dialog.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Amount').fill('200,50');
  // what it does is said before it is confirmed: the amount, and who gets it
  expect(await dialog.innerText()).toMatch(/PLN\s200\.50[\s\S]*freelancer@example\.com/);
  await check();
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  await expectState(page, 'Approved');
  await expect.poll(() => page.getByRole('status').innerText()).toBe('The dispute is decided.');
  await expectFocusOnNext(page);
  const { agreed_amount } = await resultOf(operator.retrieveDeal(deal.partner_id));
  expect(agreed_amount).toBe('200.50');
  await check();
  await press(page, 'Polski');
  await expectState(page, 'Zaakceptowane');
  await check();
  for (const width of [1040, 980, 700]) {
    await page.setViewportSize({ width, height: 720 });
    await check();
  }
  await page.getByRole('link', { name: 'Zlecenia', exact: true }).click();
  await page.locator('table.list tbody tr').waitFor();
  for (const width of [700, 980, 1040]) {
    await page.setViewportSize({ width, height: 720 });
    await check();
  }
  await end(new RegExp(`${noSession.source}|status of 400`));
});
