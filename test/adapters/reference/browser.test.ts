import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { createReferencePage } from 'dealwright/reference';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import { ensurePackages } from '../../kit/debian.js';
import { createTestHandler, operators, serve, tokenOf } from '../../kit/service.js';
import { isLong } from '../../tiers.js';

const executablePath = '/usr/bin/chromium';
const acme = tokenOf({ environment: 'sandbox', partner: 'acme' });

let browser: Browser;
beforeAll(async () => {
  ensurePackages('chromium');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}, 600_000);
afterAll(() => browser?.close());

// it has no types
const express = createRequire(import.meta.url)('express') as () => {
  use(path: string, listener: RequestListener): RequestListener;
};

/** Mounted as Express does under a prefix, which it removes from the path. */
const underDeals = (listener: RequestListener): RequestListener =>
  express().use('/deals', listener);

/** Opens the page of a service, and keeps the messages and requests of the browser. */
async function open(path = '/', mount?: (listener: RequestListener) => RequestListener) {
  const basePath = mount === undefined ? '' : '/deals';
  const { baseUrl, close } = await serve(
    createTestHandler(undefined, {
      referencePage: createReferencePage(),
      operatorAuthenticator: operators,
      basePath,
    }),
    mount,
  );
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    requests.push({ url: request.url(), authorization: request.headers()['authorization'] });
  });
  await page.goto(`${baseUrl}${path}`);
  await page.locator('.opblock:not(.webhooks *)').first().waitFor();
  return {
    page,
    complaints,
    requests,
    baseUrl,
    async end() {
      await page.close();
      await close();
    },
  };
}

type Place = readonly [string, string, typeof underDeals | undefined];
const elsewhere: readonly Place[] = [
  ['', '/', undefined],
  [', under a prefix', '/deals/', underDeals],
];

describe('the page in Chromium', () => {
  it('shows every operation of the table, and 1.0 as deprecated', async () => {
    const { page, complaints, requests, baseUrl, end } = await open();
    try {
      const shown = await page.locator('.opblock:not(.webhooks *)').evaluateAll((blocks) =>
        blocks.map((block) => {
          const text = (selector: string) => block.querySelector(selector)?.textContent ?? '';
          return [
            text('.opblock-summary-method'),
            // it puts marks between the parts of a path, where a line may break
            text('.opblock-summary-path, .opblock-summary-path__deprecated').replace(/\u200b/g, ''),
            block.classList.contains('opblock-deprecated') ? '1.0' : '2.0',
          ].join(' ');
        }),
      );
      expect(shown.sort()).toEqual(
        allRoutes()
          .map(({ method, path, version }) => `${method} ${path} ${version}`)
          .sort(),
      );
      expect(await page.title()).toBe('API reference');
      expect(complaints).toEqual([]);
      expect(requests.length).toBeGreaterThan(4);
      expect(requests.filter(({ url }) => !/^data:/.test(url) && !url.startsWith(baseUrl))).toEqual(
        [],
      );
    } finally {
      await end();
    }
  });

  it.each([
    // the way with the most possible mistakes
    [', under a prefix without its slash', '/deals?a=b', underDeals],
    ...(isLong ? elsewhere : []),
  ] satisfies Place[])('authorises, and tries a request out%s', async (_, path, mount) => {
    const { page, complaints, requests, baseUrl, end } = await open(path, mount);
    const prefix = mount === undefined ? '' : '/deals';
    try {
      await page.locator('.auth-wrapper .authorize').click();
      // the first of the three schemes
      const scheme = page.locator('.modal-ux .auth-container').first();
      await scheme.locator('input').fill(`Token ${acme}`);
      await scheme.locator('button.authorize').click();
      await scheme.locator('button.btn-done').click();

      const block = page.locator('.opblock', { hasText: 'createDealV2' });
      await block.locator('.opblock-summary-control').click();
      await block.locator('button.try-out__btn').click();
      await block.locator('button.execute').click();
      const answer = block.locator('.live-responses-table .response');
      expect(await answer.locator('.response-col_status').innerText()).toContain('201');
      expect(await answer.innerText()).toContain('"payment_token"');

      // the same deal again is a conflict, which the page shows as well
      await block.locator('button.execute').click();
      await answer.filter({ hasText: 'deal_exists' }).waitFor();
      expect(await answer.locator('.response-col_status').innerText()).toContain('409');

      const tried = requests.filter(({ url }) => url.includes('/api/'));
      expect(tried.map(({ url }) => url)).toEqual([
        `${baseUrl}${prefix}/api/2.0/deal/`,
        `${baseUrl}${prefix}/api/2.0/deal/`,
      ]);
      expect(tried.map(({ authorization }) => authorization)).toEqual([
        `Token ${acme}`,
        `Token ${acme}`,
      ]);
      expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
      expect(requests.filter(({ url }) => !/^data:/.test(url) && !url.startsWith(baseUrl))).toEqual(
        [],
      );
    } finally {
      await end();
    }
  });

  it('is where the bare prefix leads, and where nothing is, nothing leads on', async () => {
    const where = async (options: object, path: string) => {
      const handler = createTestHandler(undefined, { ...options, basePath: '/deals' });
      const { baseUrl, close } = await serve(handler, underDeals);
      const { status, headers } = await fetch(baseUrl + path, { redirect: 'manual' });
      await close();
      return [status, headers.get('location')];
    };
    const withPage = { referencePage: createReferencePage() };
    expect(await where(withPage, '/deals')).toEqual([308, './deals/']);
    expect(await where(withPage, '/deals?a=b?c')).toEqual([308, './deals/?a=b?c']);
    expect(await where(withPage, '/deals/')).toEqual([200, null]);
    expect(await where({}, '/deals')).toEqual([404, null]);
  });

  it('is kept by its policy from what comes from elsewhere', async () => {
    const { page, complaints, end } = await open();
    try {
      const tried = await page.evaluate(() =>
        fetch('http://127.0.0.1:9/').then(
          () => 'sent',
          () => 'kept back',
        ),
      );
      expect(tried).toBe('kept back');
      expect(complaints.join('\n')).toMatch(/Content Security Policy/);
    } finally {
      await end();
    }
  });
});
