import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { chromium } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ensurePackages } from '../kit/debian.js';
import { openBackEnd } from './offer-kit.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The visits that the browser has written down; it must have been closed. */
function visits(): readonly string[] {
  const db = new Database(join(folder, 'Default', 'History'), { readonly: true });
  const rows = db.prepare('select url from urls').all() as { readonly url: string }[];
  db.close();
  return rows.map(({ url }) => url);
}

it('a visit keeps the token of its link, and none if the host hands the token over', async () => {
  ensurePackages('chromium');
  const backEnd = await openBackEnd();
  try {
    const [linked, handed] = [await backEnd.offer(), await backEnd.offer()];
    const browser = await chromium.launchPersistentContext(folder, {
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    const page = await browser.newPage();
    await page.goto(linked.link);
    await page.locator('h1').waitFor();
    expect(page.url()).not.toContain(linked.payment_token);
    // a page of the host, on the same origin
    await page.goto(`${backEnd.baseUrl}/deals/healthz`);
    await page.evaluate((token) => {
      sessionStorage.setItem('dealwright.offer-token', token);
      location.assign('/deals/offer/');
    }, handed.payment_token);
    await page.locator('h1').waitFor();
    expect(await page.getByText('Accept').first().isVisible()).toBe(true);
    await browser.close();
    const seen = visits().join('\n');
    expect(seen).toContain('/deals/offer/');
    // what the how-to says of every link, so that nobody relies on the opposite
    expect(seen).toContain(`/deals/offer/#${linked.payment_token}`);
    expect(seen).not.toContain(handed.payment_token);
  } finally {
    await backEnd.close();
  }
});
