import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, press, resultOf } from './offer-kit.js';
import { delivered, expectState, file, give, noSession, usePortal } from './portal-kit.js';

const used = usePortal();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const details = (partner_id: string) =>
  resultOf(used.backEnd.partner.retrieveDealDetails(partner_id));

/** Holds each answer to these requests back until it is released. */
async function hold(page: Page, url: string, method: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

describe('the parts of a deal', () => {
  it('are checked before the offer is made, and lose no focus', async () => {
    const { page, signIn, check, end } = await used.open();
    await signIn();
    await page.getByRole('link', { name: 'New deal' }).click();
    await page.getByLabel('Title').fill('In parts');
    await page.getByLabel('Description').fill('Two of them.');
    await page.getByLabel('E-mail of the freelancer').fill('anna@example.com');
    await page.getByLabel('Your number of the deal').fill('parts-1');
    await page.getByLabel('Category').selectOption({ index: 1 });
    await page.getByLabel('Rights').selectOption('none');
    await page.getByLabel('Currency').fill('PLN');
    await press(page, 'Add a part');
    for (const at of [0, 1]) await page.getByLabel('Amount (PLN)').nth(at).fill('10');
    await page.getByLabel('Name of the part').nth(0).fill('Draft');
    await page.getByLabel('Days of work').nth(0).fill('1.5');
    await press(page, 'Make the offer');
    const wrong = page.locator('[aria-invalid=true]');
    await expect.poll(() => wrong.count()).toBe(2);
    expect(await page.locator('p.error').allInnerTexts()).toEqual([
      expect.stringContaining('Enter a whole number of days.'),
      expect.stringContaining('Give each part a name.'),
    ]);
    await check();
    expect((await used.backEnd.partner.retrieveDealDetails('parts-1')).isErr()).toBe(true);
    await press(page, 'Remove: Part 2');
    await expect.poll(() => focused(page)).toBe('Add a part');
    await end(noSession);
  });

  it('can be proposed beside parts that are closed, also since they were typed', async () => {
    const deal = await used.backEnd.offer();
    const { partner_id, freelancer } = deal;
    const [first] = (await resultOf(freelancer.view())).stages;
    const stages = [
      { id: first?.id ?? 0, name: 'Draft', budget: '300.00' },
      { name: 'Final', budget: '200.00' },
    ];
    await resultOf(
      used.backEnd.partner.propose(partner_id, { kind: 'amendment', changes: { stages } }),
    );
    const { terms_sha256, stages: seen } = await resultOf(freelancer.view());
    await resultOf(freelancer.accept({ terms_sha256 }));
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(partner_id);
    const dialog = page.getByRole('dialog');
    await press(page, 'Change the terms');
    await dialog.getByLabel('Amount').nth(1).fill('250');
    await page.keyboard.press('Escape');

    const finish = async (stage_id: number) => {
      const content = new TextEncoder().encode('work');
      await resultOf(freelancer.uploadFile({ stage_id, name: 'work.txt', content }));
      await resultOf(freelancer.deliver({ stage_id }));
      await resultOf(used.backEnd.partner.approve(partner_id, { stage_id }));
    };
    await finish(seen[0]?.id ?? 0);
    await page.reload();
    await press(page, 'Change the terms');
    // it says which part it is
    expect(await dialog.getByLabel('Name of the part').inputValue()).toBe('Final');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('250');
    await press(page, 'Send the proposal');
    await dialog.waitFor({ state: 'detached' });
    expect((await details(partner_id)).proposal?.terms.amount).toBe('550.00');

    await give(page, 'Withdraw your proposal');
    await finish(seen[1]?.id ?? 0);
    await page.reload();
    await press(page, 'Change the terms');
    await press(page, 'Add a part');
    await dialog.getByLabel('Name of the part').fill('More');
    await dialog.getByLabel('Amount').fill('50');
    await press(page, 'Send the proposal');
    await dialog.waitFor({ state: 'detached' });
    const { proposal } = await details(partner_id);
    expect(proposal?.terms.stages.map(({ name }) => name)).toEqual(['Draft', 'Final', 'More']);
    await end(noSession);
  });
});

describe('what was typed and sent', () => {
  it('is kept of a deal whose number begins like that of another', async () => {
    const deal = await used.backEnd.offer({ partner_id: 'a.cancel' });
    await used.backEnd.offer({ partner_id: 'a' });
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    await press(page, 'Cancel the deal');
    await page.getByLabel('Reason').fill('Typed here.');
    await page.keyboard.press('Escape');
    await openDeal('a');
    // a time line that cannot be read now is that of before
    const history = () => page.locator('.history').innerText();
    expect(await history()).toContain('The offer was made');
    await page.route('**/event/**', (route) => route.fulfill({ status: 404, body: '{}' }));
    await give(page, 'Cancel the deal', { Reason: 'Other.' });
    await expectState(page, 'Cancelled');
    expect(await history()).toContain('The offer was made');
    await openDeal(deal.partner_id);
    await press(page, 'Cancel the deal');
    expect(await page.getByLabel('Reason').inputValue()).toBe('Typed here.');
    await end(answered(401, 404));
  });

  it('is answered in its dialog, even if Escape is pressed twice', async () => {
    const deal = await delivered(used.backEnd);
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    await press(page, 'Ask for the payment again');
    const release = await hold(page, '**/request-payment/', 'POST');
    const dialog = page.getByRole('dialog');
    await dialog.locator('button[type=submit]').click();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    release();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/Nothing is due/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await end(answered(401, 409));
  });

  it('is stored before it is delivered, and shown where one has come back', async () => {
    const deal = await used.backEnd.offer();
    await resultOf(deal.freelancer.accept());
    const content = new TextEncoder().encode('work');
    await resultOf(deal.freelancer.uploadFile({ name: 'first.txt', content }));
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    const release = await hold(page, '**/file/', 'POST');
    await page.locator('input[type=file]').setInputFiles([file('second.txt', 'more')]);
    await press(page, 'Deliver for the freelancer');
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toMatch(/Some files are not uploaded/);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Events' }).click();
    await page.locator('table.list').waitFor();
    await page.goBack();
    await page.locator('#next').waitFor();
    release();
    await page.getByRole('button', { name: 'Download second.txt' }).waitFor();
    await give(page, 'Deliver for the freelancer');
    await expectState(page, 'Waiting for approval');
    await end(noSession);
  });
});

describe('the secret of a webhook', () => {
  it('is shown though its webhook cannot be read, and with its own address alone', async () => {
    const url = 'http://127.0.0.1:9/first';
    const { id } = await resultOf(
      used.backEnd.partner.createWebhook({ url: 'http://127.0.0.1:9/other' }),
    );
    const { page, signIn, goTo, check, end } = await used.open();
    await signIn();
    await goTo('webhooks');
    await page.route('**/api/2.0/webhook/*/', (route) =>
      route.fulfill({ status: 404, body: '{}' }),
    );
    await press(page, 'Add a webhook');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(url);
    await dialog.locator('button[type=submit]').click();
    await page.getByLabel('Secret', { exact: true }).waitFor();
    await page.getByText('This cannot be shown').waitFor();
    expect(await dialog.last().innerText()).toContain(url);
    await check();
    await page.unroute('**/api/2.0/webhook/*/');
    await press(page, 'I have kept it');
    await dialog.waitFor({ state: 'detached' });
    await goTo('webhooks', id);
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
    await end(answered(401, 404));
  });
});

describe('a list', () => {
  it('is saved once, and reads its first page again if that has failed', async () => {
    for (let at = 0; at < 26; at += 1) await used.backEnd.offer();
    const { page, signIn, goTo, end } = await used.open();
    await signIn();
    await goTo('deals');
    const rows = () => page.locator('table.list tbody tr').count();
    await expect.poll(rows).toBe(25);
    let saved = 0;
    page.on('download', () => {
      saved += 1;
    });
    const release = await hold(page, '**/deal/?**', 'GET');
    await press(page, 'Save as CSV');
    await page.getByRole('button', { name: /^Rows so far/ }).click();
    await press(page, 'Save as CSV');
    release();
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/^Saved/);
    await page.unroute('**/deal/?**');
    await page.route('**/deal/?**', (route) => route.fulfill({ status: 404, body: '{}' }));
    await press(page, 'Load again');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/deal/?**');
    await press(page, 'Try again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await rows()).toBe(25);
    expect(saved).toBe(1);

    // what is shown from a moment on is saved from that moment on
    await page.goto(`${page.url().split('#')[0]}#/feed?after=end`);
    await page.getByText('There are no events here yet').waitFor();
    await used.backEnd.offer();
    await press(page, 'Look for more');
    await expect.poll(rows).toBe(1);
    await press(page, 'Save as CSV');
    await expect.poll(() => page.getByRole('status').innerText()).toBe('Saved. Rows: 1');
    await end(answered(401, 404));
  });
});
