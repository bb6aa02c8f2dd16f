import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { tenant } from '../kit/requests.js';
import { type BackEnd, openBackEnd, openPage, resultOf } from './offer-kit.js';

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

export type PortalPage = Awaited<ReturnType<typeof openPortal>>;

/** The portal in a browser. */
export const openPortal = (
  browser: Browser,
  backEnd: Pick<BackEnd, 'baseUrl'>,
  options: BrowserContextOptions = {},
) => openScreens(browser, `${backEnd.baseUrl}/deals/portal/`, token, options);

/** A page of several screens, for whoever has the token. */
export async function openScreens(
  browser: Browser,
  home: string,
  token: string,
  options: BrowserContextOptions,
) {
  const shown = await openPage(browser, new URL(home).origin, options);
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
