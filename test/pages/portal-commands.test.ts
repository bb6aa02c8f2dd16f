import type { DealDetails } from 'dealwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { contractor, deal as dealV1 } from '../kit/requests.js';
import { answered, press, resultOf } from './offer-kit.js';
import {
  delivered,
  expectState,
  file,
  give,
  type ScreensPage,
  step,
  usePortal,
} from './portal-kit.js';

const used = usePortal();
let portal: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  portal = opened;
  page = opened.page;
});

const details = (partner_id: string): Promise<DealDetails> =>
  resultOf(used.backEnd.partner.retrieveDealDetails(partner_id));

describe('every command of a partner', () => {
  it('of an offer: mark as sent, change, cancel', async () => {
    const deal = await used.backEnd.offer();
    await portal.openDeal(deal.partner_id);
    await portal.check();
    await portal.readDialogs();
    await give(page, 'Mark as sent');
    expect((await details(deal.partner_id)).freelancer_status).toBe('invited');
    // it takes effect at once
    await give(page, 'Change the terms', { Title: 'Another title' });
    await expect.poll(() => page.locator('h1').innerText()).toBe('Another title');
    await give(page, 'Cancel the deal', { Reason: 'It is not needed.' });
    await expectState(page, 'Cancelled');
    expect(await page.locator('.quote').innerText()).toContain('It is not needed.');
    await portal.check();
  });

  it('of work: ask for changes, deliver for the freelancer, approve, add a bonus', async () => {
    const deal = await delivered(used.backEnd);
    await portal.openDeal(deal.partner_id);
    await portal.readDialogs();
    await press(page, 'Ask for changes');
    await page.getByRole('dialog').locator('button[type=submit]').click();
    // a reason is missing: it stands at its field
    await expect.poll(() => page.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await give(page, 'Ask for changes', { Reason: 'Shorter, please.' });
    await expectState(page, 'Changes requested');
    await give(page, 'Add a bonus', { Amount: '20', 'Message to the freelancer': 'For the speed' });
    expect((await details(deal.partner_id)).amount).toBe('520.00');

    await page.locator('input[type=file]').setInputFiles([file('better.txt', 'better')]);
    await page.getByRole('button', { name: 'Download better.txt' }).waitFor();
    await page.getByRole('button', { name: /^Deliver for the freelancer: / }).click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expectState(page, 'Waiting for approval');
    await press(page, 'Approve the work');
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toMatch(/PLN\s500\.00[\s\S]*freelancer@example\.com/);
    await dialog.locator('button[type=submit]').click();
    await expectState(page, 'Approved');
    expect(await step(page)).toMatch(/PLN\s5\d0\.00 is to be paid by you/);
  });

  it('of a payment that has failed: ask for it again', async () => {
    // the sandbox fails the payment of such an amount
    const deal = await delivered(used.backEnd, { amount: '500.01' });
    await resultOf(used.backEnd.partner.approve(deal.partner_id));
    await resultOf(used.backEnd.operator.runEffects());
    await portal.openDeal(deal.partner_id);
    await page.getByText('Failed', { exact: true }).waitFor();
    await press(page, 'Ask for the payment again');
    expect(await page.getByRole('dialog').innerText()).toMatch(/500\.01[\s\S]*Marketplace & Co\./);
    await page.keyboard.press('Escape');
    await give(page, 'Ask for the payment again');
    const { billing } = await details(deal.partner_id);
    expect(billing.employer_payments.map(({ status }) => status)).toContain('requested');
  });

  it('of terms: propose, withdraw, accept, reject, and what a refusal says', async () => {
    const deal = await used.backEnd.offer();
    await resultOf(deal.freelancer.accept());
    await portal.openDeal(deal.partner_id);
    await press(page, 'Change the terms');
    const dialog = page.getByRole('dialog');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/Nothing would change/);
    await dialog.getByLabel('Amount').fill('lots');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => dialog.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
    await portal.check();
    await dialog.getByRole('button', { name: 'Add a part' }).click();
    await dialog.getByLabel('Amount').nth(0).fill('400');
    await dialog.getByLabel('Name of the part').nth(1).fill('More');
    await dialog.getByLabel('Amount').nth(1).fill('250');
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('.changes').innerText()).toMatch(/500\.00[\s\S]*650\.00/);
    await portal.check();
    await give(page, 'Withdraw your proposal');

    const propose = (amount: string) =>
      resultOf(deal.freelancer.propose({ kind: 'amendment', changes: { amount } }));
    await propose('600.00');
    await page.reload();
    await portal.readDialogs();
    await give(page, 'Reject the proposal', { 'Message to the freelancer': 'Too much.' });
    await propose('550.00');
    await page.reload();
    await press(page, 'Propose something else');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('550.00');
    await page.keyboard.press('Escape');
    await press(page, 'Accept the proposal');
    expect(await dialog.innerText()).toMatch(/550\.00[\s\S]*freelancer@example\.com/);
    await page.keyboard.press('Escape');
    await give(page, 'Accept the proposal');
    expect((await details(deal.partner_id)).amount).toBe('550.00');
  });

  it('of a dispute: open it, and end it by an agreement', async () => {
    const deal = await delivered(used.backEnd);
    await portal.openDeal(deal.partner_id);
    await give(page, 'Open a dispute', { Reason: 'Half of it is missing.' });
    await expectState(page, 'In dispute');
    await portal.readDialogs();
    await press(page, 'Propose an agreement');
    await page.getByRole('dialog').getByLabel('Amount').fill('250,5');
    expect(await page.getByRole('dialog').innerText()).toMatch(/PLN\s250\.50/);
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await page.locator('.changes').waitFor();
    await portal.check();
    const { proposal } = await details(deal.partner_id);
    const { id = '', terms_sha256 = '' } = proposal ?? {};
    await resultOf(deal.freelancer.acceptProposal(id, { terms_sha256 }));
    await page.reload();
    await expectState(page, 'Approved');
  });

  it('of a deal of version 1.0, for its freelancer: accept, decline', async () => {
    await resultOf(used.backEnd.partner.registerContractor(contractor));
    const make = (partner_id: string) =>
      resultOf(used.backEnd.partner.createDeal({ ...dealV1, partner_id }));
    await make('old-1');
    await portal.openDeal('old-1');
    expect(await page.getByRole('button', { name: 'Link for the freelancer' }).count()).toBe(0);
    await portal.readDialogs();
    await give(page, 'Accept for the freelancer');
    await expectState(page, 'In progress');
    await make('old-2');
    await portal.openDeal('old-2');
    await give(page, 'Decline for the freelancer');
    await expectState(page, 'Cancelled');
  });

  it('is refused in words beside the button, and agrees to nothing that has moved', async () => {
    const deal = await delivered(used.backEnd);
    await portal.openDeal(deal.partner_id);
    await press(page, 'Ask for the payment again');
    const dialog = page.getByRole('dialog');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/Nothing is due/);
    await page.keyboard.press('Escape');
    await press(page, 'Approve the work');
    await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('#notice').innerText()).toMatch(/The deal has changed/);
    await expectState(page, 'In dispute');
    await portal.check();
  });

  it('with no request to elsewhere, and no complaint of the browser', async () => {
    await portal.end(answered(400, 401, 409));
  });
});
