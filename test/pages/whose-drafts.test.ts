import { createNodeListener } from 'dealwright/node';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import { ok } from 'neverthrow';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { answered, openBackEnd, press, resultOf, useBackEnd } from './offer-kit.js';
import { noSession } from './portal-kit.js';

const globex = { ...tenant, partner: 'globex' };
/** The tokens that are valid now. */
const known = new Map([
  ['the-first-token-of-acme', tenant],
  ['the-second-token-of-acme', tenant],
  ['the-token-of-globex', globex],
]);
const operators = new Set(['the-first-operator', 'the-second-operator']);
const sessions = new Map<string, object>([
  ['acme', tenant],
  ['globex', globex],
  ['new', { ...tenant, partner: 'new' }],
  ['operator', { environment: tenant.environment, operator: true }],
]);

const used = useBackEnd(() =>
  openBackEnd(
    {
      authenticator: { authenticate: (token) => ok(known.get(token)) },
      operatorAuthenticator: {
        authenticate: (token) => ok(operators.has(token) ? tenant.environment : undefined),
      },
      tokenCacheSize: 0,
      webhooks: createWebhookSender({ allowPrivate: true }),
      secrets: createSealedSecrets({ k1: Buffer.alloc(32, 7).toString('base64url') }),
    },
    (_, handler) =>
      createNodeListener(handler, {
        resolveCaller: ({ headers }) =>
          sessions.get(/session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '') as typeof tenant,
      }),
  ),
);

async function open(name: 'portal' | 'console') {
  const shown = await used.openPage();
  const { page, context } = shown;
  const home = `${used.backEnd.baseUrl}/deals/${name}/`;
  return {
    ...shown,
    home,
    async enter(token: string) {
      await page.getByLabel('API token').fill(token);
      await press(page, 'Sign in');
      await page.getByLabel('API token').waitFor({ state: 'detached' });
      await page.locator('h1').waitFor();
    },
    /** Signs in at the host, or out. */
    async host(session?: string) {
      await context.clearCookies();
      if (session === undefined) return;
      await context.addCookies([{ name: 'session', value: session, url: used.backEnd.baseUrl }]);
    },
    /** What stands in the form of a new deal. */
    async title() {
      await page.goto(`${home}#/new`);
      return page.getByLabel('Title', { exact: true }).inputValue();
    },
    async type(text: string) {
      await page.goto(`${home}#/new`);
      await page.getByLabel('Title', { exact: true }).fill(text);
    },
  };
}

/** Nothing of this is anywhere in the tab. */
const kept = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));

it('with a token that is revoked, drafts go, unless the same partner signs in again', async () => {
  await used.backEnd.offer();
  const { page, home, enter, title, type, end } = await open('portal');
  await page.goto(`${home}#/new`);
  await enter('the-first-token-of-acme');
  await type('Of acme');
  await page.reload();
  expect(await title()).toBe('Of acme');
  // a new token of the same partner
  known.delete('the-first-token-of-acme');
  await page.getByRole('link', { name: 'Deals' }).click();
  await enter('the-second-token-of-acme');
  expect(await title()).toBe('Of acme');
  // a secret and a file are in the memory of the page alone
  await page.goto(`${home}#/webhooks`);
  await press(page, 'Add a webhook');
  await page.getByLabel('Address').fill('http://127.0.0.1/hooks');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.getByText('The secret of the webhook').waitFor();
  known.delete('the-second-token-of-acme');
  await page.evaluate(() => {
    location.hash = '#/deals';
  });
  await enter('the-token-of-globex');
  // nor does the address say what the other one has seen
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.getByText('The secret of the webhook').count()).toBe(0);
  expect(await kept(page)).not.toMatch(/Of acme|whsec_/);
  expect(await title()).toBe('');
  // the host lists no tokens
  await end(answered(401, 404));
});

it('of a session of the host, drafts are kept for its partner alone', async () => {
  const { page, home, enter, host, title, type, end } = await open('portal');
  const load = async () => {
    await page.goto('about:blank');
    await page.goto(home);
    await page.locator('h1, #sign-in').first().waitFor();
  };
  await host('acme');
  await load();
  await type('Of acme');
  await load();
  expect(await title()).toBe('Of acme');
  // it ends, and is there again
  await host();
  await load();
  await page.getByLabel('API token').waitFor();
  await host('acme');
  await load();
  expect(await title()).toBe('Of acme');
  // of a partner without an event, the page does not know who it is
  await host('new');
  await load();
  expect(await title()).toBe('');
  await type('Of nobody');
  await load();
  expect(await title()).toBe('');
  await type('Of nobody');
  await host();
  await load();
  known.set('the-third-token-of-acme', tenant);
  await enter('the-third-token-of-acme');
  expect(await title()).toBe('');
  expect(await kept(page)).not.toContain('Of ');
  await press(page, 'Sign out');
  await page.getByLabel('API token').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await end(noSession);
});

it('in the console they go with the token, and with each visit by a session', async () => {
  const { partner_id } = await used.backEnd.offer();
  const { page, home, enter, host, end } = await open('console');
  const deal = `${home}#/deals/${tenant.partner}/${partner_id}`;
  const reason = async () => {
    await page.goto('about:blank');
    await page.goto(deal);
    await press(page, 'Cancel the deal');
    return page.getByLabel('Reason');
  };
  await page.goto(deal);
  await enter('the-first-operator');
  await (await reason()).fill('Too late.');
  expect(await (await reason()).inputValue()).toBe('Too late.');
  operators.delete('the-first-operator');
  await page.goto('about:blank');
  await page.goto(deal);
  await enter('the-second-operator');
  expect(await (await reason()).inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await press(page, 'Sign out');
  await page.getByLabel('API token').waitFor();
  await host('operator');
  await (await reason()).fill('By a session.');
  expect(await (await reason()).inputValue()).toBe('');
  await end(noSession);
});

it('of an offer they go with its link, and no other page shows them', async () => {
  const [one, two] = [await used.backEnd.offer(), await used.backEnd.offer()];
  for (const { freelancer } of [one, two]) await resultOf(freelancer.accept());
  const { page, open: follow, end } = await used.openPage();
  const message = page.getByLabel('Message', { exact: false }).first();
  await follow(one.link);
  await message.fill('For the first.');
  await page.reload();
  expect(await message.inputValue()).toBe('For the first.');
  await page.goto('about:blank');
  await follow(two.link);
  expect(await message.inputValue()).toBe('');
  expect(await kept(page)).not.toContain('For the first.');
  await end();
});
