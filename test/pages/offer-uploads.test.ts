import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { answered, press, resultOf, useBackEnd } from './offer-kit.js';

const used = useBackEnd();

const file = (name: string, size = 4) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') },
});

/** The page of a deal that was accepted. */
async function openWork() {
  const deal = await used.backEnd.offer();
  await resultOf(deal.freelancer.accept());
  const shown = await used.openPage();
  return { ...deal, ...shown, show: () => shown.open(deal.link) };
}

const uploads = (page: Page, take: (route: Route) => Promise<void>) =>
  page.route('**/file/', (route) =>
    route.request().method() === 'POST' ? take(route) : route.continue(),
  );

const choose = (page: Page, ...files: readonly ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').setInputFiles([...files]);

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

it('a file that is sent again after a lost answer is stored once', async () => {
  const { page, show, freelancer, end } = await openWork();
  await show();
  let isLost = true;
  await uploads(page, async (route) => {
    const answer = await route.fetch();
    await (isLost ? route.abort() : route.fulfill({ response: answer }));
  });
  await choose(page, file('work.txt'));
  // it is shown though no answer has come
  await page.locator('button.file').waitFor({ timeout: 60_000 });
  await page.locator('.files .error').waitFor();
  isLost = false;
  await press(page, 'Send work.txt again');
  await page.locator('.files .error').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Take work.txt out of the list').count()).toBe(0);
  expect((await resultOf(freelancer.listFiles())).map(({ name }) => name)).toEqual(['work.txt']);
  await end(/ERR_FAILED/);
});

it('an upload takes as long as it takes, and ends if nothing moves', async () => {
  const { page, show, context, end } = await openWork();
  await page.clock.install();
  await show();
  const line = await context.newCDPSession(page);
  const slow = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
    });
  // the client sends a file again by itself
  let attempts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/file/')) attempts += 1;
  });
  await slow(200_000);
  await choose(page, file('large.txt', 1_500_000));
  const sent = () => page.getByLabel('Progress of large.txt').getAttribute('value').then(Number);
  // longer than a silence may be, by the clock of the page, and bytes move in each half minute: what
  // is shown of them may be late
  for (let step = 0, before = 0; step < 7; step += 1) {
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(before);
    before = await sent();
    await page.clock.fastForward(30_000);
  }
  await slow(-1);
  await page.locator('button.file').waitFor({ timeout: 60_000 });
  expect(attempts).toBe(1);

  await uploads(page, () => new Promise(() => {}));
  await choose(page, file('hangs.txt'));
  await page.getByLabel('Progress of hangs.txt').waitFor();
  const failure = page.locator('.files .error');
  await expect
    .poll(
      async () => {
        // each attempt of the client, and its pauses
        await page.clock.fastForward(121_000);
        return failure.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  expect(await failure.innerText()).toMatch(/There is no connection/);
  await end(/ERR_ABORTED|ERR_FAILED/);
});

it('the focus stays near when the button that had it is gone', async () => {
  const { page, show, end } = await openWork();
  let isServed = false;
  await page.route('**/api/2.0/offer/', (route) =>
    isServed ? route.continue() : route.fulfill({ status: 404, body: '{}' }),
  );
  await show();
  isServed = true;
  await press(page, 'Try again');
  await page.locator('.title').waitFor();
  await expect.poll(() => focused(page)).toBe('next');

  await uploads(page, (route) => route.fulfill({ status: 409, body: '{}' }));
  await choose(page, file('one.txt'), { ...file('none.txt', 0) });
  await expect.poll(() => page.locator('.files .error').count()).toBe(2);
  await press(page, 'Take none.txt out of the list');
  await expect.poll(() => focused(page)).toMatch(/^files-of-/);
  await press(page, 'Send one.txt again');
  await expect.poll(() => focused(page)).toMatch(/^upload-/);
  await expect.poll(() => page.locator('.files .error').count()).toBe(1);
  await uploads(page, () => new Promise(() => {}));
  await press(page, 'Send one.txt again');
  await page.getByLabel('Progress of one.txt').waitFor();
  await press(page, 'Cancel one.txt');
  await expect.poll(() => focused(page)).toMatch(/^files-of-/);
  await end(answered(404, 409));
});

it('what went wrong is said in the language that was chosen since, beside its file', async () => {
  const { page, show, freelancer, end } = await openWork();
  await resultOf(freelancer.uploadFile({ name: 'kept.txt', content: Buffer.from('work') }));
  await show();
  await choose(page, file('none.txt', 0));
  await page.route('**/file/*/', (route) => route.fulfill({ status: 404, body: '{}' }));
  await press(page, 'Download kept.txt');
  const said = () => page.locator('.files .error').allInnerTexts();
  await expect.poll(said).toHaveLength(2);
  const english = await said();
  expect(english).toContain('The file is empty.');
  await press(page, 'Deliver');
  await expect
    .poll(() => page.locator('form [role=alert]').innerText())
    .toMatch(/^Some files are not uploaded/);
  await press(page, 'Polski');
  await expect.poll(said).toContain('Plik jest pusty.');
  for (const text of await said()) expect(english).not.toContain(text);
  expect(await page.locator('form [role=alert]').innerText()).toMatch(/^Nie wszystkie pliki/);
  await end(answered(404));
});
