import type { ApiToken } from 'dealwright';
import { createOperatorAuthenticator } from 'dealwright/auth';
import type { Authenticator } from 'dealwright/ports';
import { createDigest } from 'dealwright/system';
import { ok } from 'neverthrow';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tenant } from '../kit/requests.js';
import { token as operatorToken, useConsole } from './console-kit.js';
import { openBackEnd, press } from './offer-kit.js';
import { token, usePortal } from './portal-kit.js';

const hostile = '<img src=x onerror=alert(1)> \u202egpj.exe';
const listed: readonly ApiToken[] = [
  {
    name: 'Order system',
    start: 'dw_5f0c9',
    created_at: '2026-01-05T09:00:00.000Z',
    last_used_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  },
  { name: hostile, start: '<b>bold<', created_at: null, last_used_at: null },
  { name: 'x'.repeat(128), start: null, created_at: null, last_used_at: null },
];

/** A back end whose authenticator lists these tokens, or none at all. */
const open = (tokens?: readonly ApiToken[]) => {
  const authenticator: Authenticator = {
    authenticate: (given) => ok(given === token ? tenant : undefined),
    ...(tokens && { list: ({ partner }) => ok(partner === tenant.partner ? tokens : []) }),
  };
  const operatorAuthenticator = createOperatorAuthenticator([[operatorToken, 'sandbox']], {
    digest: createDigest(),
  });
  return openBackEnd({ authenticator, operatorAuthenticator });
};

const narrow = { viewport: { width: 320, height: 640 } };
const heading = (page: Page, name = 'API tokens') =>
  page.getByRole('heading', { name, exact: true });
const card = (page: Page, name?: string) =>
  page.locator('section.card').filter({ has: heading(page, name) });

const screens = [
  ['the portal', usePortal(), ['webhooks'], 'There are no webhooks here'],
  ['the console', useConsole(), ['partners', tenant.partner], 'There are no events here yet'],
] as const;

describe.each(screens)('the API tokens in %s', (_, used, path, other) => {
  it('are shown by their names, as text, and are read by keyboard', async () => {
    const backEnd = await open(listed);
    try {
      const shown = await used.open(narrow, backEnd);
      const { page } = shown;
      await shown.signIn();
      await shown.goTo(...path);
      await expect.poll(() => card(page).locator('tbody tr').count()).toBe(3);
      const [first, second, third] = await card(page).locator('tbody tr').allInnerTexts();
      expect(first).toMatch(/Order system[\s\S]*dw_5f0c9…[\s\S]*3 hours ago/);
      expect(second).toContain(hostile);
      expect(second).toMatch(/<b>bold<…[\s\S]*Not known[\s\S]*Never, or not known/);
      expect(third).toContain('x'.repeat(128));
      await shown.check();
      await card(page).getByRole('button', { name: 'Save as CSV' }).focus();
      const saving = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      expect((await saving).suggestedFilename()).toBe('API tokens.csv');
      await press(page, 'Polski');
      await expect.poll(() => card(page, 'Tokeny API').locator('tbody tr').count()).toBe(3);
      expect(await card(page, 'Tokeny API').locator('th').allTextContents()).toEqual([
        ...['Nazwa', 'Zaczyna się od', 'Utworzono', 'Ostatnie użycie'],
      ]);
      await shown.check();
      await shown.end(/status of (401|404)/);
    } finally {
      await backEnd.close();
    }
  });

  it('are said to be none, and are left out if the host does not list them', async () => {
    for (const tokens of [[], undefined]) {
      const backEnd = await open(tokens);
      try {
        const shown = await used.open(narrow, backEnd);
        await shown.signIn();
        await shown.goTo(...path);
        await shown.page.getByText(other).waitFor();
        if (tokens)
          await card(shown.page)
            .getByText(/no API tokens/)
            .waitFor();
        else await expect.poll(() => heading(shown.page).count()).toBe(0);
        await shown.check();
        await shown.end(/status of (401|404)/);
      } finally {
        await backEnd.close();
      }
    }
  });
});
