import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initialize, page, style } from './page.js';

/** A file of the page. */
export interface PageFile {
  /** Named in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The files of the page, by their paths. */
export type ReferencePage = Readonly<Record<string, PageFile>>;

/** Nothing but what comes from here; the icons of the style are in it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Makes the page that shows the interface to a browser and lets its reader try it: Swagger UI over
 * `/openapi.json`. Hand it to `createHandler` as `referencePage`. Its files are read here, once
 * (about 2 MB), and served by the handler itself; its content security policy keeps every request
 * on the host that it comes from. It throws where the package is not whole.
 *
 * @example
 * ```ts
 * import { createMarketplace } from 'dealwright';
 * import { createTokenAuthenticator } from 'dealwright/auth';
 * import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
 * import { createHandler } from 'dealwright/http';
 * import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
 * import { createReferencePage } from 'dealwright/reference';
 * import { createSystemPorts } from 'dealwright/system';
 * import { createOpaqueTokenIssuer } from 'dealwright/tokens';
 *
 * const system = createSystemPorts();
 * const marketplace = createMarketplace({
 *   ...system,
 *   store: createMemoryStore(),
 *   files: createMemoryFileStore(),
 *   categories: createCategoryCatalogue(defaultCategoryTree),
 *   paymentTokens: createOpaqueTokenIssuer(),
 * });
 * const handler = createHandler(marketplace, {
 *   ...system,
 *   authenticator: createTokenAuthenticator(
 *     [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
 *     system,
 *   ),
 *   referencePage: createReferencePage(),
 * });
 * ```
 */
export function createReferencePage(): ReferencePage {
  return Object.freeze({
    '/': fileOf('text/html', page),
    '/reference/initialize.js': fileOf('text/javascript', initialize),
    '/reference/page.css': fileOf('text/css', style),
    '/reference/swagger-ui-bundle.js': fileOf('text/javascript', read('swagger-ui-bundle.js')),
    '/reference/swagger-ui.css': fileOf('text/css', read('swagger-ui.css')),
    '/reference/LICENSE': fileOf('text/plain', `${read('NOTICE')}\n${read('LICENSE')}`),
  });
}

// by the map of package.json: the files lie beside what was built, also for who runs the sources
const { resolve } = createRequire(import.meta.url);

function read(name: string): string {
  return readFileSync(resolve(`#swagger-ui/${name}`), 'utf8');
}

function fileOf(type: string, body: string): PageFile {
  return Object.freeze({
    headers: Object.freeze({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }),
    body,
  });
}
