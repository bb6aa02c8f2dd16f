// @ts-check
// Takes the pictures of the pages in docs/pages, of a deal in each of its main states.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDealwright } from 'dealwright/host';
import { createNodeListener } from 'dealwright/node';
import { createPages } from 'dealwright/pages';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import { chromium } from 'playwright-core';

const folder = fileURLToPath(new URL('../docs/pages', import.meta.url));
mkdirSync(folder, { recursive: true });

const tenant = /** @type {const} */ ({ environment: 'sandbox', partner: 'acme' });
const token = 'a-token-for-the-pictures';
const operatorToken = 'a-token-of-the-operator';
const { marketplace, handler } = createDealwright({
  apiTokens: [[token, tenant]],
  operatorTokens: [[operatorToken, tenant.environment]],
  webhooks: createWebhookSender({ allowPrivate: true }),
  secrets: createSealedSecrets({ k1: Buffer.alloc(32, 1).toString('base64url') }),
  pages: createPages({
    name: 'Acme Jobs',
    links: [
      { text: { en: 'Help', pl: 'Pomoc' }, href: 'mailto:help@example.com' },
      { text: { en: 'Terms', pl: 'Regulamin' }, href: 'https://example.com/terms' },
    ],
  }),
  feePolicy: () => ({ employer_fee: '0.00', contractor_fee: '240.00' }),
});
const partner = marketplace.partner(tenant);
const server = createServer(createNodeListener(handler));
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(undefined));
});
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;

let deals = 0;
/** A deal with the link to its page. */
async function offer() {
  deals += 1;
  const partner_id = `order-${deals}`;
  const { payment_token } = (
    await partner.createDealV2({
      partner_id,
      email_freelancer: 'freelancer@example.com',
      title: 'Landing page for a bakery',
      description:
        'Texts for a landing page in English: a headline, three sections about bread, cakes and opening hours, and a call to order.\n\nTone: warm and short. Pictures are there already.',
      subcategory_id: 75,
      amount: '2400.00',
      currency: 'PLN',
      copyright_transfer: 'full_transfer',
      freelancer_language: 'en',
    })
  )._unsafeUnwrap();
  const freelancer = marketplace.freelancer('sandbox', payment_token);
  return { partner_id, freelancer, link: `http://127.0.0.1:${port}/offer/#${payment_token}` };
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
  timeout: 0,
});

/** A picture of a phone shows the whole page. */
const phone = { viewport: { width: 360, height: 720 } };
const wide = { viewport: { width: 1040, height: 720 } };

/**
 * @param {string} name
 * @param {string} link
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<unknown>} [act]
 */
async function take(name, link, options, act) {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  // a machine that is busy with something else is slow, not wrong
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('.card').first().waitFor();
  await act?.(page);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: options === phone });
  await context.close();
}

const fresh = await offer();
await take('offer-phone', fresh.link, phone);
await take('offer-wide', fresh.link, wide);
await take('offer-accept', fresh.link, { ...phone }, (page) =>
  page.getByRole('button', { name: 'Accept the offer' }).click(),
);

const working = await offer();
await working.freelancer.accept();
const content = new TextEncoder().encode('The draft');
await working.freelancer.uploadFile({ name: 'headline.txt', content });
await working.freelancer.uploadFile({ name: 'sections.txt', content });
await take('offer-work-dark', working.link, { ...wide, locale: 'pl-PL', colorScheme: 'dark' });

await partner.propose(working.partner_id, {
  kind: 'amendment',
  changes: { amount: '3000.00', title: 'Landing page and catering page for a bakery' },
  message: 'We would like one page more.',
});
await take('offer-proposal', working.link, wide);

const done = await offer();
await done.freelancer.accept();
await done.freelancer.uploadFile({ name: 'texts.txt', content });
await done.freelancer.deliver({ message: 'All three sections are in it.' });
await partner.approve(done.partner_id);
await marketplace.operator('sandbox').runEffects();
await take('offer-completed', done.link, wide);

/** @param {import('playwright-core').Page} page */
async function signIn(page, by = token) {
  await page.locator('input[type=password]').fill(by);
  await page.locator('button[type=submit]').click();
  await page.locator('#next, table.list').first().waitFor();
}

const portal = `http://127.0.0.1:${port}/portal/`;
const checked = await offer();
await checked.freelancer.accept();
await checked.freelancer.uploadFile({ name: 'sections.txt', content });
await checked.freelancer.deliver({ message: 'All three sections are in it.' });
const deal = `${portal}#/deals/${checked.partner_id}`;
await take('portal-deal', deal, wide, signIn);
await take('portal-deals', portal, wide, signIn);
await take('portal-approve', deal, { ...phone }, async (page) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Approve the work' }).click();
});
const receiver = createServer((_, response) => response.writeHead(204).end());
await new Promise((resolve) => {
  receiver.listen(0, '127.0.0.1', () => resolve(undefined));
});
const place = receiver.address();
const url = `http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}/hooks`;
const { id } = (await partner.createWebhook({ url }))._unsafeUnwrap();
const dark = { ...wide, locale: 'pl-PL', colorScheme: /** @type {const} */ ('dark') };
await take('portal-webhook-dark', `${portal}#/webhooks/${id}`, dark, async (page) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Wyślij próbę' }).click();
  await page.locator('table.list').waitFor();
});

const ofConsole = `http://127.0.0.1:${port}/console/`;
const disputed = await offer();
await disputed.freelancer.accept();
await disputed.freelancer.uploadFile({ name: 'sections.txt', content });
await disputed.freelancer.deliver({ message: 'All three sections are in it.' });
const paid = /** @type {const} */ ({ status: 'paid', amount: '2400.00', reference: 'bank-417' });
const operator = marketplace.operator(tenant.environment).partner(tenant.partner);
await operator.recordEmployerPayment(disputed.partner_id, paid);
await disputed.freelancer.dispute({ reason: 'Nobody has looked at the work for two weeks.' });
/** @param {import('playwright-core').Page} page */
const enter = (page) => signIn(page, operatorToken);
await take('console-today', ofConsole, wide, enter);
await take('console-deal', `${ofConsole}#/deals/acme/${disputed.partner_id}`, wide, enter);
await take('console-deals', `${ofConsole}#/deals`, dark, enter);

await browser.close();
for (const each of [server, receiver]) each.closeAllConnections();
for (const each of [server, receiver]) each.close();
