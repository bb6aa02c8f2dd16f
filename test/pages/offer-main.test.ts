import { expect, it } from 'vitest';
import { expectFocusOnNext, press, resultOf, stateOf, useBackEnd } from './offer-kit.js';
import { file } from './portal-kit.js';

const used = useBackEnd();

it('leads a deal from the offer to the payout, on a phone', async () => {
  const deal = await used.backEnd.offer({ title: 'Landing page' });
  const { page, open, expectAccessible, expectNoOverflow, end } = await used.openPage({
    viewport: { width: 320, height: 640 },
  });
  const check = async () => {
    await expectAccessible();
    await expectNoOverflow();
  };

  await open(deal.link);
  expect(await page.locator('h1').innerText()).toBe('Landing page');
  await expect.poll(() => stateOf(page).innerText()).toBe('New offer');
  expect(await page.locator('.sum').innerText()).toMatch(/You get\s+PLN\s450\.00/);
  await check();

  await press(page, 'Accept the offer');
  expect(await page.getByRole('dialog').innerText()).toMatch(/PLN\s450\.00/);
  await check();
  await press(page, 'Yes, I accept');
  await expect.poll(() => stateOf(page).innerText()).toBe('In progress');
  await expect
    .poll(() => page.getByRole('status').innerText())
    .toBe('You have accepted the offer.');
  await expectFocusOnNext(page);

  // it is refused without a file, beside the button that caused it; the message is kept
  await page.getByLabel('Message to the client').fill('The first draft.');
  await press(page, 'Deliver');
  expect(await page.getByRole('alert').innerText()).toMatch(/Upload at least one file/);
  await check();
  await page
    .locator('input[type=file]')
    .setInputFiles([file('a.txt', 'one'), file('b.txt', 'two')]);
  await expect.poll(() => page.locator('button.file').allInnerTexts()).toEqual(['b.txt', 'a.txt']);

  await page.reload();
  expect(await page.getByLabel('Message to the client').inputValue()).toBe('The first draft.');
  await press(page, 'Deliver');
  await expect.poll(() => stateOf(page).innerText()).toBe('Waiting for approval');
  await check();
  const told = await resultOf(deal.freelancer.listEvents());
  expect(told.results.find(({ type }) => type === 'deal.delivered')?.data).toMatchObject({
    message: 'The first draft.',
  });

  const saved = page.waitForEvent('download');
  await press(page, 'Download a.txt');
  expect((await saved).suggestedFilename()).toBe('a.txt');

  await resultOf(used.backEnd.partner.approve(deal.partner_id));
  await resultOf(used.backEnd.operator.runEffects());
  await page.reload();
  await expect.poll(() => stateOf(page).innerText()).toBe('Completed');
  expect(await page.locator('.rows li.row').innerText()).toMatch(/PLN\s450\.00\s+Paid/);
  await check();
  await end(/status of 409/);
});
