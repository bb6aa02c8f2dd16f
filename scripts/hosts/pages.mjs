// @ts-check
import assert from 'node:assert/strict';
import { exampleDealV2 } from 'dealwright/testing';
import { chromium } from 'playwright-core';

/** @typedef {import('dealwright/client').DealwrightClient} Client */
/** @typedef {import('playwright-core').Page} Page */

/**
 * The pages for people in Chromium, as a host gives them: a freelancer accepts an offer, and its
 * partner finds it in the portal. Throws if a page breaks, complains or asks elsewhere.
 *
 * @param {string} baseUrl
 * @param {Client} api of the partner
 * @param {string} token of the partner
 */
export async function checkPages(baseUrl, api, token) {
  const served = await fetch(`${baseUrl}/offer/`);
  assert.equal(served.status, 200, 'no page of the offer');
  await served.body?.cancel();
  const deal = { ...exampleDealV2, partner_id: 'for-people', title: 'A deal for people' };
  const created = await api.createDealV2(deal);
  assert.ok(created.isOk(), JSON.stringify(created));
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await visit(browser, baseUrl, /^$/, async (page) => {
      await page.goto(`${baseUrl}/offer/#${created.value.payment_token}`);
      await press(page, 'Accept the offer');
      await press(page, 'Yes, I accept');
      await page.locator('.title').getByText('In progress').waitFor();
    });
    // the page asks whether the host knows this browser, and later whether it has webhooks
    await visit(browser, baseUrl, /status of 40[14]/, async (page) => {
      await page.goto(`${baseUrl}/portal/`);
      await page.getByLabel('API token').fill(token);
      await press(page, 'Sign in');
      await page.getByRole('link', { name: deal.title }).click();
      await page.locator('.title').getByText('In progress').waitFor();
    });
  } finally {
    await browser.close();
  }
}

/**
 * @param {Page} page
 * @param {string} name
 */
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} baseUrl
 * @param {RegExp} known complaints
 * @param {(page: Page) => Promise<unknown>} act
 */
async function visit(browser, baseUrl, known, act) {
  const page = await browser.newPage({ locale: 'en-GB' });
  page.setDefaultTimeout(60_000);
  const { origin } = new URL(baseUrl);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !known.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:about|blob|data):/.test(url)) complaints.push(url);
  });
  await act(page);
  assert.deepEqual(complaints, []);
  await page.close();
}
