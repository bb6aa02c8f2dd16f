import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { tenant } from '../kit/requests.js';
import { type BackEnd, openBackEnd, type openPage, resultOf, useBackEnd } from './offer-kit.js';

/** The API token of the partner. */
export const token = 'a-token-of-the-partner-acme';

/** A back end that knows the partner by a token, and sends webhooks to this machine. */
export const openPartnerBackEnd = (
  mount?: Parameters<typeof openBackEnd>[1],
  own: Parameters<typeof openBackEnd>[0] = {},
) =>
  openBackEnd(
    {
      ...own,
      apiTokens: [
        [token, tenant],
        ['a-token-of-another-partner', { ...tenant, partner: 'globex' }],
      ],
      webhooks: createWebhookSender({ allowPrivate: true }),
      secrets: createSealedSecrets({ k1: Buffer.alloc(32, 7).toString('base64url') }),
    },
    mount,
  );

/** The portal in Chromium, with its back end, for the tests of a file. */
export const usePortal = (own?: Parameters<typeof openBackEnd>[0]) =>
  useScreens('portal', token, () => openPartnerBackEnd(undefined, own));

export type ScreensPage = ReturnType<typeof screensOf>;

/** A page of several screens in Chromium, for the tests of a file. */
export function useScreens(name: string, token: string, start: () => Promise<BackEnd>) {
  const used = useBackEnd(start);
  return {
    get backEnd() {
      return used.backEnd;
    },
    async open(options: BrowserContextOptions = {}, backEnd = used.backEnd) {
      const shown = await used.openPage(options, backEnd);
      return screensOf(shown, `${backEnd.baseUrl}/deals/${name}/`, token);
    },
    /** On a phone and signed in, before the tests, which all go on in it. */
    openOnce(take: (shown: ScreensPage) => void) {
      beforeAll(async () => {
        const shown = await this.open({ viewport: { width: 320, height: 640 } });
        await shown.signIn();
        take(shown);
      }, 600_000);
    },
  };
}

/** The screens of a page, for whoever has the token. */
function screensOf(shown: Awaited<ReturnType<typeof openPage>>, home: string, token: string) {
  const { page } = shown;
  const goTo = async (...path: readonly string[]) => {
    await page.goto(`${home}#/${path.map(encodeURIComponent).join('/')}`);
    await page.locator('h1').waitFor();
  };
  return {
    ...shown,
    home,
    goTo,
    /** Opens it, and signs in by the token, which must be in no address and no body. */
    async signIn(text = token) {
      await page.goto(home);
      shown.guard(text);
      await page.getByLabel('API token').fill(text);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('h1').waitFor();
    },
    /** Opens a deal by its names, and waits for its commands. */
    async openDeal(...names: readonly string[]) {
      await goTo('deals', ...names);
      await page.locator('#next').waitFor();
    },
    async check() {
      await shown.expectAccessible();
      await shown.expectNoOverflow();
    },
    /** Every dialog that is offered can be read, and left. */
    async readDialogs() {
      const buttons = page.locator('.columns .accent > .actions button');
      for (let at = 0; at < (await buttons.count()); at += 1) {
        await buttons.nth(at).click();
        await page.getByRole('dialog').waitFor();
        await this.check();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  };
}

export const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

/** The next step, in words. */
export const step = (page: Page) => page.locator('.lead').innerText();

/** The first complaint of a browser that asks without a token whether the host has a session. */
export const noSession = /status of 401/;

/** Presses a button, and in the dialog that it opens the one that gives the command. */
export async function give(page: Page, name: string, fill: Readonly<Record<string, string>> = {}) {
  await page.locator('.columns').getByRole('button', { name, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (const [label, text] of Object.entries(fill)) {
    await dialog.getByLabel(label).first().fill(text);
  }
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
}

/** A deal of the back end whose work is delivered. */
export async function delivered(backEnd: BackEnd, own: Parameters<BackEnd['offer']>[0] = {}) {
  const deal = await backEnd.offer(own);
  await resultOf(deal.freelancer.accept());
  const content = new TextEncoder().encode('work');
  await resultOf(deal.freelancer.uploadFile({ name: 'work.txt', content }));
  await resultOf(deal.freelancer.deliver({ message: 'Here it is.' }));
  return deal;
}

/** Waits until the state beside the title is this one. */
export const expectState = (page: Page, state: string) =>
  expect.poll(() => page.locator('.title .badge').innerText()).toBe(state);
