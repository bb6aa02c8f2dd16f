import { describe, expect, it } from 'vitest';
import { expectFocusOnNext, press, stateOf, tabTo, useBackEnd } from './offer-kit.js';
import { file } from './portal-kit.js';

const used = useBackEnd();

describe('the main path', () => {
  it('needs nothing but the keyboard', async () => {
    const deal = await used.backEnd.offer();
    const { page, open, end } = await used.openPage();
    await open(deal.link);
    await tabTo(page, 'Accept the offer');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // Escape closes, and the focus is where it was
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Accept the offer');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Yes, I accept');
    await page.keyboard.press('Space');
    await expect.poll(() => stateOf(page).innerText()).toBe('In progress');
    await expectFocusOnNext(page);
    await tabTo(page, 'Choose files');
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Space');
    await (await choosing).setFiles(file('work.txt', 'work'));
    await page.locator('button.file').waitFor();
    await tabTo(page, 'Message to the client');
    await page.keyboard.type('Here it is.');
    await tabTo(page, 'Deliver');
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf(page).innerText()).toBe('Waiting for approval');
    await expectFocusOnNext(page);
    await tabTo(page, 'Download work.txt');
    await tabTo(page, 'Open a dispute');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Open a dispute');
    await page.keyboard.press('Enter');
    // a reason is missing: the focus goes to the field, and its error is read with it
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
      .toBe('true');
    await page.keyboard.type('The client does not answer.');
    await tabTo(page, 'Open a dispute');
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf(page).innerText()).toBe('In dispute');
    await end(/status of 400/);
  });

  it('speaks Polish to a Polish browser, dark and wide, and the switch lasts', async () => {
    const deal = await used.backEnd.offer();
    const { page, open, expectAccessible, end } = await used.openPage({
      locale: 'pl-PL',
      colorScheme: 'dark',
      viewport: { width: 1600, height: 900 },
    });
    await open(deal.link);
    expect(await page.locator('html').getAttribute('lang')).toBe('pl');
    expect(await page.locator('.sum').innerText()).toMatch(/Otrzymasz\s+450,00\szł/);
    await expectAccessible();
    await press(page, 'Przyjmij ofertę');
    await expectAccessible();
    await press(page, 'Tak, przyjmuję');
    await expect.poll(() => stateOf(page).innerText()).toBe('W realizacji');
    await press(page, 'Oddaj pracę');
    expect(await page.getByRole('alert').innerText()).toMatch(/prześlij co najmniej jeden plik/);
    await press(page, 'English');
    await page.reload();
    expect(await stateOf(page).innerText()).toBe('In progress');
    await expectAccessible();
    await end(/status of 409/);
  });
});
