import { expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { answered, openBackEnd, press, resultOf } from './offer-kit.js';
import { file, token, usePortal } from './portal-kit.js';

const used = usePortal();

it('a failure stands beside its file, in the language chosen since, and a file is stored once', async () => {
  const deal = await used.backEnd.offer();
  await resultOf(deal.freelancer.accept());
  const content = new TextEncoder().encode('work');
  await resultOf(deal.freelancer.uploadFile({ name: 'kept.txt', content }));
  const { page, signIn, openDeal, end } = await used.open();
  await signIn();
  await openDeal(deal.partner_id);
  await page.route('**/file/*/', (route) => route.fulfill({ status: 404, body: '{}' }));
  await press(page, 'Download kept.txt');
  await page.locator('input[type=file]').setInputFiles([file('none.txt', '')]);
  const said = () => page.locator('.files .error').allInnerTexts();
  await expect.poll(said).toHaveLength(2);
  const english = await said();
  expect(english).toContain('The file is empty.');
  expect(await page.locator('#notice').count()).toBe(0);
  await press(page, 'Polski');
  await expect.poll(said).toContain('Plik jest pusty.');
  for (const text of await said()) expect(english).not.toContain(text);
  await press(page, 'English');
  await press(page, 'Take none.txt out of the list');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/^files-of-/);

  let isLost = true;
  await page.route('**/file/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const answer = await route.fetch();
    return isLost ? route.abort() : route.fulfill({ response: answer });
  });
  await page.locator('input[type=file]').setInputFiles([file('work.txt', 'more')]);
  await page.getByLabel('Send work.txt again').waitFor({ timeout: 60_000 });
  isLost = false;
  await press(page, 'Send work.txt again');
  await expect.poll(() => page.getByLabel('Take work.txt out of the list').count()).toBe(0);
  await expect.poll(() => page.getByLabel('Cancel work.txt').count()).toBe(0);
  const names = (await resultOf(deal.freelancer.listFiles())).map(({ name }) => name);
  expect([...names].sort()).toEqual(['kept.txt', 'work.txt']);
  await end(/status of (?:401|404)|ERR_FAILED/);
});

it('the focus and the legal answers follow what is there by now', async () => {
  const deal = await used.backEnd.offer();
  await resultOf(deal.freelancer.accept());
  const { page, signIn, goTo, end } = await used.open();
  await signIn();
  let isServed = false;
  await page.route('**/api/2.0/deal/*/', (route) =>
    isServed ? route.continue() : route.fulfill({ status: 404, body: '{}' }),
  );
  await goTo('deals', deal.partner_id);
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  isServed = true;
  await retry.click();
  // that of a screen that was moved to
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');

  await resultOf(
    deal.freelancer.propose({
      kind: 'settlement',
      changes: { agreed_amount: '250.00' },
    }),
  );
  await page.reload();
  await page.locator('.changes').waitFor();
  const buttons = (place: string) => page.locator(`${place} .actions button`).allInnerTexts();
  const { legal_proposals } = await resultOf(
    used.backEnd.partner.retrieveDealDetails(deal.partner_id),
  );
  expect(legal_proposals).toEqual(
    expect.arrayContaining(['accept-proposal', 'reject-proposal', 'propose-amendment']),
  );
  // it is answered where it is shown, and by one of the other kind beside the commands
  const next = await buttons('.aside');
  expect(next).toContain('Change the terms');
  expect(next).not.toContain('Propose an agreement');
  const answers = await buttons('.card:has(table.changes)');
  expect(answers).toEqual(['Accept the proposal', 'Reject the proposal', 'Propose something else']);
  await end(answered(401, 404));
});

it('says nothing of what was sent if the host has no webhooks', async () => {
  const own = await openBackEnd({ apiTokens: [[token, tenant]] });
  try {
    const { page, signIn, openDeal, check, end } = await used.open({}, own);
    const deal = await own.offer();
    const asked = page.waitForResponse(/\/delivery\//);
    await signIn();
    await openDeal(deal.partner_id);
    expect((await asked).status()).toBe(404);
    await page.locator('.history').waitFor();
    expect(await page.getByRole('heading', { name: 'What was sent' }).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await check();
    await end(answered(401, 404));
  } finally {
    await own.close();
  }
});
