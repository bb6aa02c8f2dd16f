import { checkOptions, onlyNames } from 'dealwright/ports';
import { type PageFile, pageFile } from '../shared/page-file.js';
import { type BuiltPage, builtPages } from './built-pages.js';

/** A link of the host, such as its help or its terms of use. */
export interface PageLink {
  readonly text: string | Readonly<Record<'en' | 'pl', string>>;
  /** `https:`, `http:`, `mailto:` or `tel:`, or a path of the same host. */
  readonly href: string;
}

/** What a host may say about the pages. */
export interface PagesOptions {
  /** Whether there is the freelancer's page, `/offer/`; default true. */
  readonly offer?: boolean;
  /** Whether there is the page of a partner, `/portal/`; default true. */
  readonly portal?: boolean;
  /** Whether there is the page of the operator, `/console/`; default true. */
  readonly console?: boolean;
  /** The name of the host, as people know it. */
  readonly name?: string;
  /** An image: a path of the same host, or a `data:image/...` URL. */
  readonly logo?: string;
  /** Links at the end of each page. */
  readonly links?: readonly PageLink[];
  /** A style sheet in CSS that comes after ours, to set the custom properties anew. */
  readonly stylesheet?: string;
}

/** The files of the pages, by their paths. */
export type Pages = Readonly<Record<string, PageFile>>;

/**
 * Makes the pages for people, as plain data: pass them to `createHandler` as `pages`, which serves
 * them under its own path. `createDealwright` and `dealwright serve` have them without that. They
 * use the public clients alone, so a host can leave each out or serve its own. `pages: {}` is none.
 * It throws a `TypeError` for options that a page could not show.
 *
 * @example
 * ```ts
 * import { createDealwright } from 'dealwright/host';
 * import { createPages } from 'dealwright/pages';
 *
 * const { handler } = createDealwright({
 *   apiTokens: [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
 *   pages: createPages({
 *     name: 'Acme Jobs',
 *     links: [{ text: 'Help', href: 'mailto:help@example.com' }],
 *     stylesheet: ':root { --accent: #7a1f5c; }',
 *   }),
 * });
 * ```
 */
export function createPages(options: PagesOptions = {}): Pages {
  check(options);
  const { pages, licences } = builtPages;
  const own = Object.entries(pages).filter(
    ([page]) => (options as Readonly<Record<string, unknown>>)[page] !== false,
  );
  return Object.freeze(
    Object.fromEntries(
      own.flatMap(([page, built]) => [
        [`/${page}/`, pageFile('text/html', markup(built, options))],
        [`/${page}/${built.script[0]}`, pageFile('text/javascript', built.script[1], forever)],
        [`/${page}/${built.style[0]}`, pageFile('text/css', built.style[1], forever)],
        [`/${page}/host.css`, pageFile('text/css', options.stylesheet ?? '')],
        [`/${page}/LICENSES.txt`, pageFile('text/plain', licences)],
      ]),
    ),
  );
}

/** The name of such a file changes with its text. */
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };

/** All paths are relative, so that it works below any path; the script reads `dealwright-host`. */
function markup(
  { title, script, style }: BuiltPage,
  { offer = true, name = '', logo, links = [], stylesheet }: PagesOptions,
): string {
  const host = JSON.stringify({ name, offer, ...(logo !== undefined && { logo }), links });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="dealwright-host" content="${escaped(host)}">
<title>${escaped(name === '' ? title : `${title} · ${name}`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style[0]}">
${stylesheet === undefined ? '' : '<link rel="stylesheet" href="host.css">\n'}<script type="module" src="${script[0]}"></script>
</head>
<body>
<div id="page"><noscript><p>This page needs JavaScript.</p><p lang="pl">Ta strona wymaga JavaScriptu.</p></noscript></div>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function check(options: PagesOptions): void {
  const given: Partial<PagesOptions> = Object(options);
  const { name = '', logo = '/', links = [], stylesheet = '' } = given;
  const { offer = true, portal = true, console = true } = given;
  checkOptions('createPages', {
    ...onlyNames('options', options, [
      ...['offer', 'portal', 'console', 'name', 'logo', 'links', 'stylesheet'],
    ]),
    'offer, portal and console are true or false': [offer, portal, console].every(
      (is) => typeof is === 'boolean',
    ),
    'name and stylesheet are texts': typeof name === 'string' && typeof stylesheet === 'string',
    'logo is a path of the same host, or a data:image/ URL':
      typeof logo === 'string' && (isPath(logo) || /^data:image\/[!-~]+$/.test(logo)),
    'links are { text, href }, each text one for all languages or { en, pl }':
      Array.isArray(links) && links.every((link) => isText(Object(link).text)),
    'href of each link is an http, https, mailto or tel URL, or a path of the same host':
      Array.isArray(links) && links.every((link) => isAddress(Object(link).href)),
  });
}

function isText(text: unknown): boolean {
  if (typeof text === 'string') return text !== '';
  const { en, pl } = Object(text);
  return [en, pl].every((each) => typeof each === 'string' && each !== '');
}

const isPath = (text: string) =>
  /^(?:\/(?!\/)|\.{1,2}\/)[!-~]*$/.test(text) && !text.includes('\\');

/** A script in a link would run in the page. */
function isAddress(href: unknown): boolean {
  return typeof href === 'string' && (isPath(href) || /^(?:https?|mailto|tel):[!-~]+$/.test(href));
}
