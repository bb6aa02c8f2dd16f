import { expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { expectFocusOnNext, press, resultOf } from './offer-kit.js';
import { expectState, file, give, noSession, step, token, usePortal } from './portal-kit.js';

const used = usePortal();

it('leads a deal from the sign-in to the approval, on a phone', async () => {
  const { page, signIn, check, end } = await used.open({
    viewport: { width: 320, height: 640 },
  });
  await page.goto(`${used.backEnd.baseUrl}/deals/portal/`);
  await page.getByLabel('API token').waitFor();
  await check();
  await page.getByLabel('API token').fill('not-a-token');
  await press(page, 'Sign in');
  await expect.poll(() => page.getByLabel('API token').getAttribute('aria-invalid')).toBe('true');
  await check();
  await signIn();
  // it is kept in the tab, and nowhere else
  expect(await page.evaluate(() => Object.values(sessionStorage))).toContain(token);
  expect(await page.evaluate(() => JSON.stringify([localStorage, document.cookie]))).not.toContain(
    token,
  );
  await page.getByText('There are no deals yet').waitFor();
  await check();

  await page.getByRole('link', { name: 'New deal' }).click();
  await page.getByLabel('Title').fill('Landing page');
  await press(page, 'Make the offer');
  await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBeGreaterThan(3);
  await check();
  await page.getByLabel('Description').fill('Three sections.');
  await page.getByLabel('E-mail of the freelancer').fill('anna@example.com');
  await page.getByLabel('Your number of the deal').fill('A/1 ü');
  await page.getByLabel('Category').selectOption({ index: 1 });
  await page.getByLabel('Rights').selectOption('license');
  await page.getByLabel('Currency').fill('eur');
  await page.getByLabel('Amount (EUR)').fill('300');
  await press(page, 'Add a part');
  await page.getByLabel('Name of the part').nth(0).fill('Draft');
  await page.getByLabel('Name of the part').nth(1).fill('Final');
  await page.getByLabel('Amount (EUR)').nth(1).fill('200,50');
  await page.getByLabel('Days of work').nth(1).fill('10');
  await check();
  await press(page, 'Make the offer');
  await expectState(page, 'New offer');
  expect(await page.locator('h1').innerText()).toBe('Landing page');
  expect(await page.locator('.stage h3').allInnerTexts()).toEqual(['Draft', 'Final']);
  expect(await page.locator('.sum').innerText()).toMatch(/€500\.50/);
  await check();

  await press(page, 'Link for the freelancer');
  const link = new URL(await page.getByLabel('Link to the offer').inputValue());
  expect(link.pathname).toBe('/deals/offer/');
  await check();
  await page.keyboard.press('Escape');
  await give(page, 'Mark as sent');
  expect(await step(page)).toMatch(/The freelancer has the offer, and can answer until/);
  await expectFocusOnNext(page);

  const marketplace = used.backEnd.freelancerOf(link.hash.slice(1));
  const { stages, terms_sha256 } = await resultOf(marketplace.view());
  await resultOf(marketplace.accept({ terms_sha256 }));
  for (const { id } of stages) {
    const content = file('a.txt', 'text').buffer;
    await resultOf(marketplace.uploadFile({ stage_id: id, name: `${id}.txt`, content }));
  }
  await resultOf(marketplace.deliver());
  await page.reload();
  await expectState(page, 'Waiting for approval');
  expect(await step(page)).toMatch(/Without an answer it counts as approved on/);
  const saved = page.waitForEvent('download');
  await page.locator('button.file').first().click();
  expect((await saved).suggestedFilename()).toBe(`${stages[0]?.id}.txt`);
  // what a command does is said before it is confirmed: the amount, and who gets it
  await page.getByRole('button', { name: 'Approve the work: Draft' }).click();
  expect(await page.getByRole('dialog').innerText()).toMatch(/€300\.00[\s\S]*anna@example\.com/);
  await check();
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect
    .poll(() => page.locator('.stage > header .badge').allInnerTexts())
    .toEqual(['Approved', 'Delivered']);
  await expect.poll(() => page.getByRole('status').innerText()).toBe('The work is approved.');
  await check();
  const { status } = await resultOf(used.backEnd.partner.retrieveDealDetails('A/1 ü'));
  expect([status, tenant.partner]).toEqual(['delivered', 'acme']);
  await end(new RegExp(`${noSession.source}|status of 400`));
});
