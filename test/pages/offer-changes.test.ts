import type { AmendmentInput } from 'dealwright';
import { expect, it } from 'vitest';
import { answered, press, resultOf, stateOf, useBackEnd } from './offer-kit.js';
import { file, give } from './portal-kit.js';

const used = useBackEnd();

it('closes a dialog if the terms change below it', async () => {
  const { partner } = used.backEnd;
  const { link, partner_id } = await used.backEnd.offer();
  const { page, open, end } = await used.openPage();
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
  const { freelancer, link } = await used.backEnd.offer();
  const { terms_sha256 } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
  const { page, open, end } = await used.openPage();
  await open(link);
  let stored = 0;
  await page.route('**/file/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    stored += 1;
    // the second one hangs
    if (stored === 1) await route.continue();
  });
  await page
    .locator('input[type=file]')
    .setInputFiles(['first', 'second'].map((name) => file(`${name}.txt`, name)));
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
  const { partner } = used.backEnd;
  const { freelancer, link, partner_id } = await used.backEnd.offer();
  const { terms_sha256, stages } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256: terms_sha256 ?? '' }));
  const changed = stages.map(({ id }) => ({ id, name: 'Another name' }));
  await resultOf(partner.propose(partner_id, { kind: 'amendment', changes: { stages: changed } }));
  const { page, open, end } = await used.openPage();
  await open(link);
  expect(await page.locator('table.changes').innerText()).toContain('Another name');
  await end();
});

it('starts a counter-offer with all that was proposed', async () => {
  const { partner } = used.backEnd;
  const { freelancer, link, partner_id } = await used.backEnd.offer();
  const amend = (changes: AmendmentInput) =>
    resultOf(partner.propose(partner_id, { kind: 'amendment', changes }));
  await amend({ stages: ['One', 'Two'].map((name) => ({ name, budget: '250.00' })) });
  const { terms_sha256, stages } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256 }));
  const [one = 0, two = 0] = stages.flatMap(({ id, status }) => (status === 'pending' ? id : []));
  const { terms } = await amend({
    ...{ title: 'Two pages', copyright_transfer: 'license' },
    stages: [
      { id: one, name: 'Draft' },
      { name: 'Photos', budget: '100.00', work_days: 3 },
    ],
  });
  const { page, open, expectAccessible, expectNoOverflow, end } = await used.openPage({
    viewport: { width: 320, height: 640 },
  });
  await open(link);
  await press(page, 'Propose something else');
  await expectAccessible();
  await expectNoOverflow();
  const part = (number: number) => page.getByRole('group', { name: `Part ${number}` });
  // the client wants to leave it out
  await part(2).getByText('Two').waitFor();
  await part(3).getByLabel('Amount before the fee').fill('150');
  await press(page, 'Send the proposal');
  await page.getByRole('heading', { name: 'Your proposal' }).waitFor();
  const first = (await resultOf(freelancer.view())).proposal?.terms;
  expect(first).toEqual({
    ...{ ...terms, amount: '400.00' },
    stages: terms.stages.map((each) => ({
      ...each,
      ...(each.id === null && { budget: '150.00' }),
    })),
  });

  // what the client wants to leave out can stay, and what it wants to add can be left out
  await amend({ copyright_transfer: 'license', stages: [{ id: one }, { name: 'X', budget: '1' }] });
  await page.reload();
  await press(page, 'Propose something else');
  // nothing is left: what is wrong is of no field, and is said nevertheless
  await press(page, 'Remove: Part 1');
  await press(page, 'Remove: Part 3');
  await press(page, 'Send the proposal');
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toEqual([expect.stringMatching(/^This is not possible now\. must /)]);
  await press(page, 'Keep: Part 1');
  await press(page, 'Keep: Part 2');
  await page.getByLabel('Rights').selectOption('full_transfer');
  await press(page, 'Send the proposal');
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toEqual(['Nothing would change. Change something first.']);
  await page.getByLabel('Title', { exact: true }).fill('Three pages');
  await press(page, 'Send the proposal');
  await page.getByRole('heading', { name: 'Your proposal' }).waitFor();
  const second = (await resultOf(freelancer.view())).proposal;
  expect(second?.changes).toEqual({ title: 'Three pages' });
  expect(second?.terms.stages.map(({ id }) => id)).toEqual([one, two]);
  await end(answered(400));
});

it('offers of a proposal what the service takes', async () => {
  const { partner } = used.backEnd;
  const { freelancer, link, partner_id } = await used.backEnd.offer();
  const { terms_sha256 } = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256 }));
  await resultOf(freelancer.uploadFile({ name: 'a.txt', content: Buffer.from('work') }));
  await resultOf(freelancer.deliver());
  const changes = { title: 'Two pages' };
  await resultOf(partner.propose(partner_id, { kind: 'amendment', changes }));
  await resultOf(partner.dispute(partner_id, { reason: 'Half of it is missing.' }));
  const { page, open, end } = await used.openPage();
  await open(link);
  const names = () => page.locator('.actions button').allInnerTexts();
  // an amendment waits while a deal is disputed, and can be rejected
  expect(await names()).toEqual(['Propose an agreement', 'Reject the proposal']);
  const settlement = { kind: 'settlement', changes: { agreed_amount: '300.00' } } as const;
  await resultOf(partner.propose(partner_id, settlement));
  await page.reload();
  await expect
    .poll(names)
    .toEqual(['Accept the proposal', 'Reject the proposal', 'Propose something else']);
  await give(page, 'Accept the proposal');
  await expect.poll(() => stateOf(page).innerText()).toBe('Approved');
  // what it leaves can still be changed by both
  await resultOf(partner.propose(partner_id, { kind: 'amendment', changes }));
  await page.reload();
  await press(page, 'Propose something else');
  expect(await page.getByRole('dialog').innerText()).toMatch(/^Propose other terms/);
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Two pages');
  await end();
});

it('says of an end that is a moment at what time it is', async () => {
  const { freelancer, link } = await used.backEnd.offer();
  const { expires_at } = await resultOf(freelancer.view());
  const { page, open, end } = await used.openPage({ timezoneId: 'Asia/Tokyo' });
  await open(link);
  const shown = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Tokyo' },
  }).format(new Date(expires_at ?? 0));
  expect(await page.locator('.lead').innerText()).toContain(`Answer until ${shown}.`);
  await end();
});
