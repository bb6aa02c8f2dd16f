import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type BackEnd,
  launchBrowser,
  openBackEnd,
  openPage,
  press,
  resultOf,
  stateOf,
} from './offer-kit.js';

let browser: Browser;
let backEnd: BackEnd;
beforeAll(async () => {
  browser = await launchBrowser();
  backEnd = await openBackEnd();
}, 600_000);
afterAll(async () => {
  await backEnd?.close();
  await browser?.close();
});

it('closes a dialog if the terms change below it', async () => {
  const { partner } = backEnd;
  const { link, partner_id } = await backEnd.offer();
  const { page, open, end } = await openPage(browser, backEnd.baseUrl);
  await open(link);
  await press(page, 'Accept the offer');
  await page.getByRole('dialog').waitFor();
  const changes = { description: 'Twice the work' };
  await resultOf(partner.propose(partner_id, { kind: 'amendment', changes }));
  // as if the tab was left, and looked at again
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('alert').innerText()).toContain('The deal has changed');
  expect(await page.locator('main').innerText()).toContain('Twice the work');
  expect(await stateOf(page).innerText()).toBe('New offer');
  await end();
});

it('delivers no stage whose files are on their way', async () => {
  const { freelancer, link } = await backEnd.offer();
  const { terms_sha256 } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
  const { page, open, end } = await openPage(browser, backEnd.baseUrl);
  await open(link);
  const files = ['first', 'second'].map((name) => ({
    ...{ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) },
  }));
  let stored = 0;
  await page.route('**/file/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    stored += 1;
    // the second one hangs
    if (stored === 1) await route.continue();
  });
  await page.locator('input[type=file]').setInputFiles(files);
  await page.locator('button.file').waitFor();
  await press(page, 'Deliver');
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toEqual([expect.stringContaining('Some files are not uploaded.')]);
  expect(await stateOf(page).innerText()).toBe('In progress');
  await press(page, 'Cancel second.txt');
  await press(page, 'Deliver');
  await expect.poll(() => stateOf(page).innerText()).toBe('Waiting for approval');
  await end();
});

it('shows the new name of a stage beside its terms', async () => {
  const { partner } = backEnd;
  const { freelancer, link, partner_id } = await backEnd.offer();
  const { terms_sha256, stages } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
  const changed = stages.map(({ id }) => ({ id, name: 'Another name' }));
  await resultOf(partner.propose(partner_id, { kind: 'amendment', changes: { stages: changed } }));
  const { page, open, end } = await openPage(browser, backEnd.baseUrl);
  await open(link);
  expect(await page.locator('table.changes').innerText()).toContain('Another name');
  await end();
});
