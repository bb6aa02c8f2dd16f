import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { DealV2Input } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import type { Handler } from 'dealwright/http';
import { createPages } from 'dealwright/pages';
import type { ResultAsync } from 'neverthrow';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { ensurePackages } from '../kit/debian.js';
import { dealV2, tenant } from '../kit/requests.js';
import { serve } from '../kit/service.js';

/** Chromium of Debian, as the tests of the reference page have it. */
export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  ensurePackages('chromium');
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...more] });
}

// it has no types
const express = createRequire(import.meta.url)('express') as () => {
  use(path: string, listener: RequestListener): RequestListener;
};

/** The value of a call that succeeds. */
export async function resultOf<T>(call: ResultAsync<T, unknown>): Promise<T> {
  const result = await call;
  if (result.isErr()) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** A back end under the prefix `/deals`, with the other sides of its deals in process. */
export async function openBackEnd(
  own: Parameters<typeof createDealwright>[0] = {},
  mount = (listener: RequestListener, _: Handler) => listener,
) {
  const backEnd = createDealwright({
    basePath: '/deals',
    pages: createPages({
      name: 'Marketplace & Co.',
      links: [{ text: { en: 'Help', pl: 'Pomoc' }, href: 'mailto:help@example.com' }],
    }),
    feePolicy: ({ amount }) => ({
      employer_fee: '0.00',
      contractor_fee: (Math.floor(Number(amount) * 10) / 100).toFixed(2),
    }),
    ...own,
  });
  const { marketplace, handler } = backEnd;
  const { baseUrl, close } = await serve(handler, (listener) =>
    express().use('/deals', mount(listener, handler)),
  );
  const partner = marketplace.partner(tenant);
  let deals = 0;
  return {
    close,
    baseUrl,
    partner,
    operator: marketplace.operator(tenant.environment),
    sandbox: marketplace.sandbox?.(tenant),
    freelancerOf: (payment_token: string) =>
      marketplace.freelancer(tenant.environment, payment_token),
    /** Relays webhooks, and does what is due. */
    start: () => backEnd.start(() => undefined),
    /** A new deal with the link to its page. */
    async offer(own: Partial<DealV2Input> = {}) {
      deals += 1;
      const { partner_id = `order-${deals}` } = own;
      const { payment_token } = await resultOf(
        partner.createDealV2({ ...dealV2, partner_id, amount: '500.00', ...own }),
      );
      return {
        partner_id,
        payment_token,
        link: `${baseUrl}/deals/offer/#${payment_token}`,
        freelancer: marketplace.freelancer(tenant.environment, payment_token),
      };
    },
  };
}

export type BackEnd = Awaited<ReturnType<typeof openBackEnd>>;

/** Chromium and a back end for the tests of a file. */
export function useBackEnd(open: () => Promise<BackEnd> = openBackEnd) {
  let browser: Browser | undefined;
  let backEnd: BackEnd | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
    backEnd = await open();
  }, 600_000);
  afterAll(async () => {
    await backEnd?.close();
    await browser?.close();
  });
  const started = () => backEnd ?? expect.fail('the back end has not started');
  return {
    get backEnd() {
      return started();
    },
    openPage: (
      options: BrowserContextOptions = {},
      { baseUrl }: Pick<BackEnd, 'baseUrl'> = started(),
    ) => openPage(browser ?? expect.fail('Chromium has not started'), baseUrl, options),
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A page of a browser that notices each complaint and each request to elsewhere. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true, ...options });
  // a machine that is busy with something else is slow, not wrong
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  const withToken: string[] = [];
  let secret = '';
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:about|blob|data):/.test(url)) elsewhere.push(url);
    const sent = `${url} ${request.postData() ?? ''} ${request.headers()['referer'] ?? ''}`;
    if (secret !== '' && sent.includes(secret)) withToken.push(url);
  });
  return {
    page,
    context,
    /** Expects of all requests from now on that they have this text in no address and no body. */
    guard(text: string) {
      secret = text;
    },
    /** Opens a link, and expects that its token is gone from the address at once. */
    async open(link: string) {
      secret = new URL(link).hash.slice(1);
      await page.goto(link);
      await page.locator('h1').waitFor();
      expect(new URL(page.url()).hash).toBe('');
    },
    /** Expects that no rule of WCAG 2.2 AA is broken by what is shown now. */
    async expectAccessible() {
      await page.evaluate(axe);
      const broken = await page.evaluate(async (values) => {
        const { violations } = await Reflect.get(window, 'axe').run(document, {
          runOnly: { type: 'tag', values },
        });
        return violations.map((each: { id: string; nodes: { html: string }[] }) => [
          each.id,
          each.nodes.map(({ html }) => html),
        ]);
      }, rules);
      expect(broken).toEqual([]);
    },
    /** Expects that nothing is wider than the window. */
    async expectNoOverflow() {
      const { scroll, window: width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        window: window.innerWidth,
      }));
      expect(scroll).toBeLessThanOrEqual(width);
    },
    /** Ends; `known` are complaints of the browser about answers that the test has caused. */
    async end(known = /^$/) {
      expect(complaints.filter((text) => !known.test(text))).toEqual([]);
      expect(elsewhere).toEqual([]);
      expect(withToken).toEqual([]);
      await context.close();
    },
  };
}

/** The complaint of the browser about an answer with this status. */
export const answered = (...statuses: readonly number[]) =>
  new RegExp(`the server responded with a status of (?:${statuses.join('|')})`);

/** The state beside the title. */
export const stateOf = (page: Page) => page.locator('.title .badge');

/** Presses a button of the page or of the open dialog. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click();

/** Waits until the focus is where the eye has to go after a command: on what happens next. */
export const expectFocusOnNext = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('next');

/** Moves by Tab alone to the control with this name, as it is read out. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null) return '';
      const { labels } = element as HTMLInputElement;
      const label = labels?.[0]?.textContent ?? element.textContent ?? '';
      return (element.getAttribute('aria-label') ?? label).trim();
    });
    if (focused === name || focused.startsWith(`${name} (`)) return;
    seen.push(focused);
  }
  throw new Error(`no Tab leads to ${name}: ${seen.join(' | ')}`);
}
