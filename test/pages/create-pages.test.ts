import { createDealwright } from 'dealwright/host';
import { createPages } from 'dealwright/pages';
import { describe, expect, it } from 'vitest';
import { createServiceBackEnd } from '../../adapters/cli/service.js';
import { parseSettings } from '../../adapters/cli/settings.js';
import { get } from '../kit/open-api.js';
import { createPorts } from '../kit/ports.js';
import { createTestHandler } from '../kit/service.js';

const pages = createPages({ name: `<b>"A" & B</b>`, stylesheet: ':root { --accent: navy; }' });
const paths = Object.keys(pages);
const handler = createTestHandler(undefined, { pages });

/** What the host says of itself in a page. */
function hostIn(page: string): unknown {
  const [, host = ''] = /name="dealwright-host" content="([^"]*)"/.exec(page) ?? [];
  return JSON.parse(
    host.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
}

describe('the pages', () => {
  it.each(['offer', 'portal', 'console'])(
    'name no file that is not one of their own: %s',
    (page) => {
      const html = pages[`/${page}/`]?.body ?? '';
      const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
      expect(named.length).toBe(4);
      expect(
        named.filter((link) => link !== 'data:,' && !paths.includes(`/${page}/${link}`)),
      ).toEqual([]);
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
      expect(html).not.toContain('<b>');
      expect(hostIn(html)).toEqual({ name: `<b>"A" & B</b>`, offer: true, links: [] });
    },
  );

  it('come with a policy that allows nothing inline and nothing from elsewhere', async () => {
    expect(paths.length).toBe(15);
    for (const path of paths) {
      const { status, headers, body } = await get(handler, path);
      expect([path, status, body]).toEqual([path, 200, pages[path]?.body]);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('are kept for ever by their hashed names, and asked for anew without one', async () => {
    for (const path of paths) {
      const isHashed = /-[A-Z0-9]{8}\.(?:js|css)$/.test(path);
      const { headers } = await get(handler, path);
      expect(headers['cache-control']).toBe(
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    }
    expect(paths.filter((path) => /-[A-Z0-9]{8}\./.test(path)).length).toBe(6);
    const { headers } = await get(handler, '/offer/');
    const again = await get(handler, '/offer/', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.body]).toEqual([304, undefined]);
  });

  it('are led to without the closing slash, by a relative address', async () => {
    expect((await get(handler, '/offer?a=b')).headers['location']).toBe('./offer/?a=b');
    const below = createTestHandler(undefined, { pages, basePath: '/market/deals' });
    const { status, headers } = await get(below, '/market/deals/offer');
    expect([status, headers['location']]).toEqual([308, './offer/']);
    expect((await get(below, '/market/deals/offer/')).status).toBe(200);
    expect((await get(below, '/offer/')).status).toBe(404);
  });

  it('have the licences of what is in their scripts', () => {
    expect(pages['/offer/LICENSES.txt']?.body).toMatch(/^preact \d|^-+\n\npreact \d/m);
    expect(pages['/offer/LICENSES.txt']?.body).toContain('neverthrow');
  });
});

it('a whole back end and serve have them, and leave them out if they are told to', async () => {
  const isThere = async (handler: ReturnType<typeof createTestHandler>) =>
    Promise.all(names.map(async (name) => (await get(handler, `/${name}/`)).status));
  const names = ['offer', 'portal', 'console'] as const;
  const [all, none] = [names.map(() => 200), names.map(() => 404)];
  expect(await isThere(createDealwright().handler)).toEqual(all);
  expect(await isThere(createDealwright({ pages: {} }).handler)).toEqual(none);
  for (const name of names) {
    const pages = createPages({ [name]: false });
    expect(await isThere(createDealwright({ pages }).handler)).toEqual(
      names.map((each) => (each === name ? 404 : 200)),
    );
  }
  expect(await isThere(createTestHandler())).toEqual(none);
  const served = (environment: Record<string, string>) => {
    const settings = parseSettings({ DEALWRIGHT_DATA: '.dealwright', ...environment }, {});
    const { authenticator: _, ...ports } = createPorts();
    return createServiceBackEnd(ports, settings._unsafeUnwrap()).handler;
  };
  expect(await isThere(served({}))).toEqual(all);
  expect(await isThere(served({ DEALWRIGHT_PAGES: 'off' }))).toEqual(none);
  expect(parseSettings({ DEALWRIGHT_PAGES: 'yes' }, {})._unsafeUnwrapErr()).toEqual([
    expect.stringMatching(/^DEALWRIGHT_PAGES is "yes": set it to on or off/),
  ]);
  const links = [{ text: { en: 'Help', pl: 'Pomoc' }, href: 'mailto:help@example.com' }];
  const said = await get(
    served({
      DEALWRIGHT_PAGES_NAME: 'Acme Jobs',
      DEALWRIGHT_PAGES_LOGO: '/static/logo.svg',
      DEALWRIGHT_PAGES_LINKS: JSON.stringify(links),
    }),
    '/offer/',
  );
  expect(hostIn(String(said.body))).toEqual({
    name: 'Acme Jobs',
    offer: true,
    logo: '/static/logo.svg',
    links,
  });
});

it.each([
  ['LOGO', 'https://elsewhere.example/a.png', /a path of the same host/],
  ['LOGO', '', /a path of the same host/],
  ['LINKS', 'Help', /a list as JSON/],
  ['LINKS', '{}', /a list as JSON/],
  ['LINKS', '[{"text":"Run","href":"javascript:alert(1)"}]', /a list as JSON/],
])('serve refuses DEALWRIGHT_PAGES_%s=%s', (name, value, message) => {
  const variable = `DEALWRIGHT_PAGES_${name}`;
  const problems = parseSettings({ [variable]: value }, {})._unsafeUnwrapErr();
  expect(problems).toEqual([expect.stringMatching(message)]);
  expect(problems[0]).toMatch(new RegExp(`^${variable} takes `));
});

it.each([
  [{ offer: 'yes' }, /offer, portal and console are true or false/],
  [{ portal: 1 }, /offer, portal and console are true or false/],
  [{ titel: 'A' }, /titel/],
  [{ name: 1 }, /name and stylesheet are texts/],
  [{ logo: 'https://elsewhere.example/a.png' }, /logo is a path/],
  [{ logo: '//elsewhere.example/a.png' }, /logo is a path/],
  [{ logo: '/\\elsewhere.example/a.png' }, /logo is a path/],
  [{ links: [{ text: 'Run', href: 'javascript:alert(1)' }] }, /href of each link/],
  [{ links: [{ text: { en: 'Help' }, href: '/help' }] }, /links are/],
  [{ links: {} }, /links are/],
])('refuses %o', (options, message) => {
  expect(() => createPages(options as never)).toThrow(message);
});
