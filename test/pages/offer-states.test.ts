import { describe, expect, it } from 'vitest';
import { answered, type BackEnd, press, resultOf, stateOf, useBackEnd } from './offer-kit.js';
import { give, step } from './portal-kit.js';

const used = useBackEnd();

const text = new TextEncoder().encode('work');
type Deal = Awaited<ReturnType<BackEnd['offer']>>;

async function deliver({ freelancer }: Deal) {
  await resultOf(freelancer.accept());
  await resultOf(freelancer.uploadFile({ name: 'a.txt', content: text }));
  await resultOf(freelancer.deliver());
}

/** How a deal comes into each state, and what its page then says. */
const states: readonly (readonly [string, (deal: Deal) => Promise<unknown>, string, RegExp])[] = [
  [
    'changes requested',
    async (deal) => {
      await deliver(deal);
      await resultOf(used.backEnd.partner.requestChanges(deal.partner_id, { reason: 'Shorter.' }));
    },
    'Changes requested',
    /upload new files, and deliver again/,
  ],
  ['delivered', deliver, 'Waiting for approval', /The client checks your work/],
  [
    'approved',
    async (deal) => {
      await deliver(deal);
      await resultOf(used.backEnd.partner.approve(deal.partner_id));
    },
    'Approved',
    /The work is approved/,
  ],
  [
    'disputed',
    async (deal) => {
      await deliver(deal);
      await resultOf(used.backEnd.partner.dispute(deal.partner_id, { reason: 'It is a copy.' }));
    },
    'In dispute',
    /decided by Marketplace & Co\./,
  ],
  [
    'cancelled',
    (deal) => resultOf(used.backEnd.partner.cancel(deal.partner_id, { reason: 'No budget.' })),
    'Cancelled',
    /The deal has ended/,
  ],
  [
    'proposed by the client',
    async (deal) => {
      await resultOf(deal.freelancer.accept());
      const changes = { amount: '600.00', description: 'More texts' };
      await resultOf(used.backEnd.partner.propose(deal.partner_id, { kind: 'amendment', changes }));
    },
    'In progress',
    /The client proposes other terms/,
  ],
];

describe('each state', () => {
  it.each(states)('%s: is said with what happens next', async (_, reach, state, next) => {
    const deal = await used.backEnd.offer();
    await reach(deal);
    const { page, open, expectAccessible, expectNoOverflow, end } = await used.openPage({
      viewport: { width: 320, height: 640 },
    });
    await open(deal.link);
    expect(await stateOf(page).innerText()).toBe(state);
    expect(await step(page)).toMatch(next);
    await expectAccessible();
    await expectNoOverflow();
    // every dialog that is offered can be read, and left
    const buttons = page.locator('.columns .actions button:not([type=submit])');
    for (let at = 0; at < (await buttons.count()); at += 1) {
      await buttons.nth(at).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible();
      await expectNoOverflow();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await end();
  });

  it('shows a deal that has expired, and one whose payout came back', async () => {
    const old = await used.backEnd.offer();
    await resultOf(
      used.backEnd.sandbox?.advanceClock({ advance_seconds: 31 * 86_400 }) ?? expect.fail(),
    );
    const shown = await used.openPage();
    await shown.open(old.link);
    expect(await stateOf(shown.page).innerText()).toBe('Expired');
    expect(await step(shown.page)).toMatch(/Nobody accepted the offer in time/);
    await shown.expectAccessible();
    await shown.end();

    // the sandbox returns the payout of such an amount once
    const returned = await used.backEnd.offer({ amount: '500.02' });
    await deliver(returned);
    await resultOf(used.backEnd.partner.approve(returned.partner_id));
    await resultOf(used.backEnd.operator.runEffects());
    const paid = await used.openPage();
    await paid.open(returned.link);
    expect(await step(paid.page)).toMatch(/A payout did not reach you/);
    await paid.expectAccessible();
    await paid.end();
  });
});

describe('what can go wrong', () => {
  it('says that there is no token, or one that is not valid', async () => {
    const { page, open, expectAccessible, end } = await used.openPage();
    for (const [hash, title] of [
      ['', /This address has no offer/],
      ['#nothing-that-was-ever-issued-here', /This link is not valid/],
      ['#cut%20off', /This link is not valid/],
    ] as const) {
      await page.goto('about:blank');
      await open(`${used.backEnd.baseUrl}/deals/offer/${hash}`);
      expect(await page.locator('h1').innerText()).toMatch(title);
      await expectAccessible();
    }
    await end(answered(401));
  });

  it('keeps what was typed without a network, and over a reload', async () => {
    const deal = await used.backEnd.offer();
    const { page, context, open, end } = await used.openPage();
    await open(deal.link);
    await press(page, 'Decline');
    await page.getByLabel('Reason').fill('No time before May.');
    await context.setOffline(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await expect
      .poll(() => page.getByRole('alert').innerText(), { timeout: 60_000 })
      .toMatch(/There is no connection/);
    expect(await page.getByLabel('Reason').inputValue()).toBe('No time before May.');
    await context.setOffline(false);
    await page.reload();
    await press(page, 'Decline');
    expect(await page.getByLabel('Reason').inputValue()).toBe('No time before May.');
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => stateOf(page).innerText()).toBe('Cancelled');
    expect(await page.locator('.quote').innerText()).toContain('No time before May.');
    await end(/ERR_INTERNET_DISCONNECTED/);
  });

  it('accepts no other terms than those that were read', async () => {
    const deal = await used.backEnd.offer();
    const { page, open, expectAccessible, end } = await used.openPage();
    await open(deal.link);
    await press(page, 'Accept the offer');
    const changes = { amount: '400.00' };
    await resultOf(used.backEnd.partner.propose(deal.partner_id, { kind: 'amendment', changes }));
    await press(page, 'Yes, I accept');
    await expect.poll(() => page.locator('#notice').innerText()).toMatch(/The terms have changed/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await stateOf(page).innerText()).toBe('New offer');
    expect(await page.locator('.sum').innerText()).toMatch(/360\.00/);
    await expectAccessible();
    // read now, it can be accepted
    await press(page, 'Accept the offer');
    await press(page, 'Yes, I accept');
    await expect.poll(() => stateOf(page).innerText()).toBe('In progress');
    await end(answered(409));
  });

  it('shows the texts of others as text', async () => {
    const name = `${'😀'.repeat(150)}<img src=x onerror=alert(1)>`;
    const title = `\u202e${'<b>bold</b>'.repeat(5)}\u05d0\u05d1`;
    const description = '<script>alert(1)</script>&amp; مرحبا '.repeat(600).slice(0, 20_000);
    const deal = await used.backEnd.offer({ title, description });
    await resultOf(deal.freelancer.accept());
    await resultOf(deal.freelancer.uploadFile({ name, content: text }));
    await resultOf(deal.freelancer.deliver({ message: '<svg onload=alert(1)>' }));
    const { page, open, expectAccessible, expectNoOverflow, end } = await used.openPage({
      viewport: { width: 320, height: 640 },
    });
    await open(deal.link);
    expect(await page.locator('h1').textContent()).toBe(title);
    expect(await page.locator('.said', { hasText: 'مرحبا' }).textContent()).toBe(description);
    expect(await page.locator('button.file').textContent()).toBe(name);
    expect(await page.locator('main img, main svg, main b, main script').count()).toBe(0);
    await expectAccessible();
    await expectNoOverflow();
    await end();
  });
});

describe('other terms', () => {
  it('are proposed, withdrawn, proposed anew, and agreed', async () => {
    const deal = await used.backEnd.offer();
    const { page, open, end } = await used.openPage();
    await open(deal.link);
    await press(page, 'Propose other terms');
    await press(page, 'Send the proposal');
    expect(await page.getByRole('alert').innerText()).not.toBe('');
    await page.getByLabel('Amount before the fee').fill('lots');
    await press(page, 'Send the proposal');
    expect(await page.getByLabel('Amount before the fee').getAttribute('aria-invalid')).toBe(
      'true',
    );
    await page.getByLabel('Amount before the fee').fill('700');
    await page.getByLabel('Message to the client').fill('It is more work.');
    await press(page, 'Send the proposal');
    await page.getByRole('heading', { name: 'Your proposal' }).waitFor();
    expect(await page.locator('.changes').innerText()).toMatch(
      /500\.00[\s\S]*700\.00[\s\S]*630\.00/,
    );
    await give(page, 'Withdraw your proposal');
    await page.locator('.changes').waitFor({ state: 'detached' });

    await press(page, 'Propose other terms');
    await page.getByLabel('Amount before the fee').fill('650,50');
    await press(page, 'Send the proposal');
    await page.locator('.changes').waitFor();
    const { proposal } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    expect(proposal?.terms.amount).toBe('650.50');
    const { id = '', terms_sha256 = '' } = proposal ?? {};
    await resultOf(used.backEnd.partner.acceptProposal(deal.partner_id, id, { terms_sha256 }));
    await page.reload();
    await expect.poll(() => stateOf(page).innerText()).toBe('In progress');

    const changes = { amount: '600.00' };
    await resultOf(used.backEnd.partner.propose(deal.partner_id, { kind: 'amendment', changes }));
    await page.reload();
    await give(page, 'Reject the proposal');
    await page.locator('.changes').waitFor({ state: 'detached' });
    await resultOf(used.backEnd.partner.propose(deal.partner_id, { kind: 'amendment', changes }));
    await page.reload();
    // a counter-offer starts with what was proposed
    await press(page, 'Propose something else');
    expect(await page.getByLabel('Amount before the fee').inputValue()).toBe('600.00');
    await page.keyboard.press('Escape');
    await give(page, 'Accept the proposal');
    await expect.poll(() => page.locator('.sum').innerText()).toMatch(/540\.00/);
    await end(answered(400, 409));
  });

  it('end a dispute by an agreement', async () => {
    const deal = await used.backEnd.offer();
    await deliver(deal);
    await resultOf(
      used.backEnd.partner.dispute(deal.partner_id, { reason: 'Half of it is missing.' }),
    );
    const { page, open, end } = await used.openPage();
    await open(deal.link);
    expect(await page.locator('.quote').innerText()).toContain('Half of it is missing.');
    await press(page, 'Propose an agreement');
    await page.getByLabel('Amount before the fee').fill('250');
    await press(page, 'Send the proposal');
    await page.locator('.changes').waitFor();
    const { proposal } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    const { id = '', terms_sha256 = '' } = proposal ?? {};
    await resultOf(used.backEnd.partner.acceptProposal(deal.partner_id, id, { terms_sha256 }));
    await page.reload();
    await expect.poll(() => stateOf(page).innerText()).toBe('Approved');
    expect(await page.locator('.facts').first().innerText()).toContain('250.00');
    await end();
  });
});

describe('uploads', () => {
  it('show their progress, one after the other, and can be cancelled', async () => {
    const deal = await used.backEnd.offer();
    await resultOf(deal.freelancer.accept());
    const { page, context, open, end } = await used.openPage();
    await open(deal.link);
    const slow = await context.newCDPSession(page);
    await slow.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 },
    });
    const buffer = Buffer.alloc(2_000_000, 'a');
    const each = (name: string) => ({ name, mimeType: 'text/plain', buffer });
    await page.locator('input[type=file]').setInputFiles([each('one.txt'), each('two.txt')]);
    const progress = page.getByLabel('Progress of one.txt');
    await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0);
    expect(await page.locator('.files').innerText()).toContain('Waiting');
    await press(page, 'Cancel one.txt');
    await expect.poll(() => page.getByLabel('Progress of one.txt').count()).toBe(0);
    await expect
      .poll(() => page.locator('button.file').allInnerTexts(), { timeout: 60_000 })
      .toEqual(['two.txt']);
    expect((await resultOf(deal.freelancer.listFiles())).map(({ name }) => name)).toEqual([
      'two.txt',
    ]);
    await end(/ERR_ABORTED/);
  });
});
