import type { OperatorView } from 'dealwright';
import { drawStates, lifecycle } from 'dealwright/life';
import { createNodeListener } from 'dealwright/node';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ways } from '../../adapters/pages/app/console/ways.js';
import { tenant } from '../kit/requests.js';
import { openOperatorBackEnd, token, useConsole } from './console-kit.js';
import { answered, press, resultOf, tabTo } from './offer-kit.js';
import {
  delivered,
  expectState,
  give,
  noSession,
  openPartnerBackEnd,
  token as partnerToken,
  type ScreensPage,
} from './portal-kit.js';

const used = useConsole();
let shown: ScreensPage;
let page: Page;
used.openOnce((opened) => {
  shown = opened;
  page = opened.page;
});

const operator = () => used.backEnd.operator.partner(tenant.partner);
const details = (partner_id: string): Promise<OperatorView> =>
  resultOf(operator().retrieveDeal(partner_id));
const openDeal = (partner_id: string) => shown.openDeal(tenant.partner, partner_id);

/** A deal whose work is approved, with its payment asked for. */
async function approved(own: Parameters<typeof delivered>[1] = {}) {
  const deal = await delivered(used.backEnd, own);
  await resultOf(used.backEnd.partner.approve(deal.partner_id));
  return deal;
}

/** Records a report of the payment with this button. */
async function record(state: string, reference: string, at = 0) {
  await page
    .getByRole('button', { name: /^Record a report: / })
    .nth(at)
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('State').selectOption(state);
  await dialog.getByLabel('Reference of the provider').fill(reference);
  await shown.check();
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
}

describe('every command of the operator', () => {
  it('of an offer: mark as sent, cancel with a reason', async () => {
    const { partner_id } = await used.backEnd.offer();
    await openDeal(partner_id);
    await shown.check();
    await shown.readDialogs();
    await give(page, 'Mark as sent');
    expect((await details(partner_id)).freelancer_status).toBe('invited');
    await press(page, 'Cancel the deal');
    const dialog = page.getByRole('dialog');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await give(page, 'Cancel the deal', { Reason: 'It is a fraud.' });
    await expectState(page, 'Cancelled');
    expect(await page.locator('.quote').innerText()).toMatch(/Operator[\s\S]*It is a fraud\./);
  });

  it('of payments: record what came, what failed and what came back, send it again', async () => {
    const { partner_id } = await approved();
    await openDeal(partner_id);
    const waiting = page.locator('article.stage', { hasText: 'Attempts' });
    expect(await waiting.innerText()).toMatch(/^Request to the client[\s\S]*PLN\s500\.00/);
    await record('failed', 'bank-1');
    await waiting.waitFor({ state: 'detached' });
    await press(page, 'Ask the client for the payment');
    expect(await page.getByRole('dialog').innerText()).toMatch(/500\.00[\s\S]*Marketplace & Co\./);
    await page.keyboard.press('Escape');
    await give(page, 'Ask the client for the payment');
    await expect
      .poll(async () => (await details(partner_id)).billing.employer_payments.length)
      .toBe(2);

    // money that nobody has asked for
    await give(page, 'Record a payment of the client', {
      Amount: '500',
      'Reference of the provider': 'bank-2',
    });
    await expect.poll(async () => (await details(partner_id)).billing.held).toBe('500.00');
    const row = page.getByRole('button', { name: /^Record a report: / });
    const payout = (await row.count()) - 1;
    await record('returned', 'payout-1', payout);
    await page.getByRole('button', { name: /^Send again: / }).waitFor();
    await press(page, 'Send the payout again');
    // what it does is said before it is confirmed: the amount, and who gets it
    expect(await page.getByRole('dialog').innerText()).toMatch(
      /450\.00[\s\S]*freelancer@example\.com/,
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Send again: / }).click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expect
      .poll(async () => (await details(partner_id)).billing.contractor_payments[0]?.status)
      .toBe('scheduled');
    await record('failed', 'payout-2', payout);
    await give(page, 'Send the payout again');
    await record('paid', 'payout-3', payout);
    await expectState(page, 'Completed');
    const sums = (await details(partner_id)).billing;
    expect([sums.released, sums.fees]).toEqual(['450.00', '50.00']);
    expect(await page.locator('tfoot').innerText()).toMatch(/500\.00[\s\S]*500\.00/);
    await shown.check();
  });

  it('of a refund that did not arrive: record it, ask for it again', async () => {
    const deal = await used.backEnd.offer();
    await resultOf(deal.freelancer.accept());
    await resultOf(
      operator().recordEmployerPayment(deal.partner_id, {
        ...{ status: 'paid', amount: '500.00', reference: 'bank-3' },
      }),
    );
    await openDeal(deal.partner_id);
    await press(page, 'Cancel the deal');
    expect(await page.getByRole('dialog').innerText()).toMatch(/PLN\s500\.00[\s\S]*acme/);
    await page.keyboard.press('Escape');
    await give(page, 'Cancel the deal', { Reason: 'Both sides want it.' });
    await record('refunded', 'bank-4');
    await record('refund_failed', 'bank-4');
    await page.getByText('A refund did not arrive').waitFor();
    const waiting = page.locator('article.stage', { hasText: 'Attempts' });
    expect(await waiting.innerText()).toMatch(
      /^Refund[\s\S]*PLN\s500\.00[\s\S]*Did not arrive[\s\S]*acme[\s\S]*None is planned/,
    );
    await shown.check();
    await press(page, 'Ask for the refund again');
    expect(await page.getByRole('dialog').innerText()).toMatch(/PLN\s500\.00[\s\S]*acme/);
    await page.keyboard.press('Escape');
    await give(page, 'Ask for the refund again');
    await waiting.getByText('Waits').waitFor();
    expect(await waiting.innerText()).not.toContain('None is planned');
    await expect.poll(async () => (await details(deal.partner_id)).attention).toEqual([]);
    await shown.check();
  });

  it('of a dispute, by keyboard alone and in Polish', async () => {
    const deal = await delivered(used.backEnd);
    await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
    await openDeal(deal.partner_id);
    await tabTo(page, 'Polski');
    await page.keyboard.press('Enter');
    await page.locator('html[lang=pl]').waitFor();
    await tabTo(page, 'Rozstrzygnij spór');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await shown.check();
    await tabTo(page, 'Kwota (PLN)');
    await page.keyboard.type('120,50');
    await tabTo(page, 'Powód');
    await page.keyboard.type('Połowa pracy.');
    await tabTo(page, 'Rozstrzygnij spór');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectState(page, 'Zaakceptowane');
    expect((await details(deal.partner_id)).agreed_amount).toBe('120.50');
    await shown.check();
    await press(page, 'English');
  });

  it('is refused in words beside the button, and decides nothing that has moved', async () => {
    const deal = await delivered(used.backEnd);
    await openDeal(deal.partner_id);
    await press(page, 'Ask the client for the payment');
    const dialog = page.getByRole('dialog');
    await dialog.locator('button[type=submit]').click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/Nothing is due/);
    await page.keyboard.press('Escape');
    await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
    await page.reload();
    await press(page, 'Decide the dispute');
    await dialog.getByLabel('Amount').fill('9000');
    await dialog.locator('button[type=submit]').click();
    await expect
      .poll(() => dialog.getByRole('alert').innerText())
      .toMatch(/amount is not possible/);
    await resultOf(operator().resolve(deal.partner_id, { agreed_amount: '1.00' }));
    await dialog.getByLabel('Amount').fill('2');
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('#notice').innerText()).toMatch(/The deal has changed/);
    await expectState(page, 'Approved');
    await shown.check();
  });

  it('is beside the terms, the proposals and who has done what', async () => {
    const deal = await used.backEnd.offer({
      title: '<b>A</b> \u202eB',
      description: '&lt;'.repeat(5_000),
    });
    await resultOf(deal.freelancer.accept());
    const message = `<img src=x onerror=alert(1)>${'\u{1f600}'.repeat(200)}`;
    const propose = (amount: string) =>
      resultOf(deal.freelancer.propose({ kind: 'amendment', changes: { amount }, message }));
    await propose('600.00');
    const { id, terms_sha256 } = await propose('650.00');
    await openDeal(deal.partner_id);
    expect(await page.locator('h1').innerText()).toBe('<b>A</b> \u202eB');
    expect(await page.locator('.accent .said').allInnerTexts()).toEqual([message]);
    expect(await page.locator('.accent .changes').innerText()).toMatch(/500\.00[\s\S]*650\.00/);
    const list = (name: string) => page.getByRole('table', { name, exact: true });
    await list('Proposals').getByText('Replaced').waitFor();
    await shown.check();
    await resultOf(used.backEnd.partner.acceptProposal(deal.partner_id, id, { terms_sha256 }));
    await page.reload();
    await list('Versions of the terms').locator('tbody tr').nth(1).waitFor();
    await list('Versions of the terms').locator('summary').nth(1).click();
    await expect.poll(() => list('Versions of the terms').innerText()).toMatch(/650\.00/);
    await page.locator('.history').getByText('Client (acme)').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await shown.check();
  });

  it('of a deal that does not exist has a screen of its own', async () => {
    for (const names of [
      ['acme', 'nothing'],
      ['x'.repeat(200), 'nothing'],
    ]) {
      await shown.goTo('deals', ...names);
      await page.getByText('This does not exist any more.').waitFor();
      await shown.check();
    }
  });

  it('with no request to elsewhere, and no complaint of the browser', async () => {
    await shown.end(answered(400, 401, 404, 409));
  });
});

it('takes the session of the host, and no token of a partner', async () => {
  const own = await openOperatorBackEnd((_, handler) =>
    createNodeListener(handler, {
      resolveCaller: ({ headers }) =>
        headers.cookie === 'session=1' ? { environment: 'sandbox', operator: true } : undefined,
    }),
  );
  try {
    const { page, context, openDeal, end } = await used.open({}, own);
    await context.addCookies([{ name: 'session', value: '1', url: own.baseUrl }]);
    const deal = await own.offer();
    await openDeal(tenant.partner, deal.partner_id);
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await give(page, 'Mark as sent');
    // it ends: what was typed is there again after the sign-in
    await press(page, 'Cancel the deal');
    await page.getByLabel('Reason').fill('Too late.');
    await context.clearCookies();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await page.getByLabel('API token').fill(partnerToken);
    await press(page, 'Sign in');
    await expect.poll(() => page.getByLabel('API token').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('API token').fill(token);
    await press(page, 'Sign in');
    await press(page, 'Cancel the deal');
    expect(await page.getByLabel('Reason').inputValue()).toBe('Too late.');
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await expectState(page, 'Cancelled');
    await end(noSession);
  } finally {
    await own.close();
  }
});

it('shows nothing if the host has no operators', async () => {
  const own = await openPartnerBackEnd();
  try {
    const { page, home, check, end } = await used.open({}, own);
    await page.goto(home);
    await page.getByText('This cannot be shown').waitFor();
    await check();
    await end(answered(404));
  } finally {
    await own.close();
  }
});

it('the states that can follow are those of the life cycle', () => {
  const arrows = [...drawStates(lifecycle).deal.matchAll(/^\s*(\w+) --> (\w+)/gm)]
    .map(([, from = '', to = '']) => [from, to] as const)
    .filter(([from, to]) => from !== to);
  for (const [from, next] of Object.entries(ways)) {
    const drawn = arrows.filter(([each, to]) => each === from && to !== '').map(([, to]) => to);
    expect([from, [...next].sort()]).toEqual([from, [...new Set(drawn)].sort()]);
  }
});
