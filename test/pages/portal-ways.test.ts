import { createNodeListener } from 'dealwright/node';
import { describe, expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { answered, expectFocusOnNext, press, resultOf, tabTo } from './offer-kit.js';
import {
  delivered,
  expectState,
  give,
  noSession,
  openPartnerBackEnd,
  token,
  usePortal,
} from './portal-kit.js';

const used = usePortal();

describe('the main path', () => {
  it('needs nothing but the keyboard', async () => {
    const { page, end } = await used.open();
    await page.goto(`${used.backEnd.baseUrl}/deals/portal/`);
    await page.getByLabel('API token').waitFor();
    await tabTo(page, 'API token');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.locator('h1').waitFor();
    await tabTo(page, 'New deal');
    await page.keyboard.press('Enter');
    // the focus is on the heading of the new screen
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('New deal');
    const type = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    await type('Title', 'By keys');
    await type('Description', 'All of it.');
    await type('E-mail of the freelancer', 'anna@example.com');
    await type('Your number of the deal', 'keys-1');
    await tabTo(page, 'Category');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Rights');
    await page.keyboard.press('ArrowDown');
    await type('Currency', 'PLN');
    await type('Amount (PLN)', '100');
    await tabTo(page, 'Make the offer');
    await page.keyboard.press('Enter');
    await expectState(page, 'New offer');
    await tabTo(page, 'Mark as sent');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // Escape closes, and the focus is where it was
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Mark as sent');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Mark as sent');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByRole('status').innerText())
      .toBe('The offer is marked as sent.');
    await expectFocusOnNext(page);
    await tabTo(page, 'Deals');
    await page.keyboard.press('Enter');
    await tabTo(page, 'By keys');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await end(noSession);
  });

  it('speaks Polish to a Polish browser, dark and wide, and the switch lasts', async () => {
    const deal = await delivered(used.backEnd);
    const { page, check, end } = await used.open({
      locale: 'pl-PL',
      colorScheme: 'dark',
      viewport: { width: 1600, height: 900 },
    });
    await page.goto(`${used.backEnd.baseUrl}/deals/portal/#/deals/${deal.partner_id}`);
    await page.getByLabel('Token API').fill(token);
    await check();
    await press(page, 'Zaloguj się');
    await expectState(page, 'Czeka na akceptację');
    await check();
    await give(page, 'Poproś o zmiany', { Powód: 'Krócej.' });
    await expectState(page, 'Do poprawy');
    await page.getByRole('link', { name: 'Zlecenia' }).click();
    await page.locator('table.list').waitFor();
    await check();
    await press(page, 'English');
    await page.reload();
    expect(await page.locator('h1').innerText()).toBe('Deals');
    await end(noSession);
  });
});

describe('who it is', () => {
  it('takes the session of the host, and needs no token then', async () => {
    const own = await openPartnerBackEnd((_, handler) =>
      createNodeListener(handler, {
        resolveCaller: ({ headers }) => (headers.cookie === 'session=1' ? tenant : undefined),
      }),
    );
    try {
      const { page, context, goTo, check, end } = await used.open({}, own);
      await context.addCookies([{ name: 'session', value: '1', url: own.baseUrl }]);
      const deal = await own.offer();
      await goTo('deals', deal.partner_id);
      expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
      await give(page, 'Mark as sent');
      // it ends: what was typed is there again after the sign-in
      await press(page, 'Cancel the deal');
      await page.getByLabel('Reason').fill('Too late.');
      await context.clearCookies();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('alert').getByText('Your session has ended.').waitFor();
      await check();
      // signed in again elsewhere, and out again
      await context.addCookies([{ name: 'session', value: '1', url: own.baseUrl }]);
      await press(page, 'Load again');
      await press(page, 'Cancel the deal');
      expect(await page.getByLabel('Reason').inputValue()).toBe('Too late.');
      await context.clearCookies();
      await page.getByRole('dialog').locator('button[type=submit]').click();
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

  it('shows a partner no deal of another, and says that there is none', async () => {
    const deal = await used.backEnd.offer();
    const { page, signIn, goTo, check, end } = await used.open();
    await signIn('a-token-of-another-partner');
    await page.getByText('There are no deals yet').waitFor();
    await goTo('deals', deal.partner_id);
    expect(await page.getByRole('alert').innerText()).toMatch(/does not exist/);
    await check();
    await end(answered(401, 404));
  });
});

describe('what can go wrong', () => {
  it('keeps what was typed without a network, and does a bonus once', async () => {
    const deal = await used.backEnd.offer();
    await resultOf(deal.freelancer.accept());
    const { page, context, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    await press(page, 'Add a bonus');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('50');
    // the answer is lost on its way
    await context.route('**/add-bonus/', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.locator('button[type=submit]').click();
    await expect
      .poll(() => dialog.getByRole('alert').innerText(), { timeout: 60_000 })
      .toMatch(/There is no connection/);
    await context.unroute('**/add-bonus/');
    await page.reload();
    await press(page, 'Add a bonus');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('50');
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    const { amount } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    expect(amount).toBe('550.00');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    // each list says so for itself: the one of API tokens, too
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts(), { timeout: 60_000 })
      .toEqual([0, 1].map(() => expect.stringMatching(/There is no connection/)));
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('There are no webhooks yet').waitFor();
    await end(/status of 401|ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  });

  it('makes a deal whose stages cannot be sent, and keeps the stages that were typed', async () => {
    const { page, context, signIn, check, end } = await used.open();
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
    for (const [at, name] of ['One', 'Two'].entries()) {
      await page.getByLabel('Name of the part').nth(at).fill(name);
      await page.getByLabel('Amount (PLN)').nth(at).fill('10');
    }
    await context.route('**/proposal/', (route) => route.abort());
    await press(page, 'Make the offer');
    await expect
      .poll(() => page.locator('#notice').innerText(), { timeout: 60_000 })
      .toMatch(/The offer is made, but it is not split/);
    await check();
    await context.unroute('**/proposal/');
    await press(page, 'Change the terms');
    await press(page, 'Change the offer');
    await expect.poll(() => page.locator('.stage h3').allInnerTexts()).toEqual(['One', 'Two']);
    await end(/status of 401|ERR_FAILED/);
  });

  it('shows the texts of others as text', async () => {
    const name = `${'😀'.repeat(150)}<img src=x onerror=alert(1)>`;
    const title = `\u202e${'<b>bold</b>'.repeat(5)}\u05d0\u05d1`;
    const description = '<script>alert(1)</script>&amp; مرحبا '.repeat(600).slice(0, 20_000);
    const deal = await used.backEnd.offer({ title, description, partner_id: '<i>\u202e&amp;/?#%' });
    await resultOf(deal.freelancer.accept());
    const content = new TextEncoder().encode('work');
    await resultOf(deal.freelancer.uploadFile({ name, content }));
    await resultOf(deal.freelancer.deliver({ message: '<svg onload=alert(1)>' }));
    const { page, signIn, openDeal, check, end } = await used.open({
      viewport: { width: 320, height: 640 },
    });
    await signIn();
    const link = page.getByRole('link', { name: '<b>bold</b>' });
    await link.waitFor();
    await check();
    await link.click();
    await page.locator('#next').waitFor();
    expect(await page.locator('h1').textContent()).toBe(title);
    expect(await page.locator('.said', { hasText: 'مرحبا' }).textContent()).toBe(description);
    expect(await page.locator('button.file').textContent()).toBe(name);
    await check();
    await openDeal('<i>\u202e&amp;/?#%');
    await page.getByRole('link', { name: 'Events' }).click();
    await page.locator('table.list').waitFor();
    await check();
    expect(await page.locator('main :is(img, svg, b, i, script)').count()).toBe(0);
    await end(noSession);
  });
});
