import { readFileSync } from 'node:fs';
import { type PageFile, pageFile } from '../shared/page-file.js';
import { initialize, page, style } from './page.js';
import { viewerFiles } from './viewer-files.js';

/** The files of the page, by their paths. */
export type ReferencePage = Readonly<Record<string, PageFile>>;

/**
 * Makes the page that shows the interface in a browser and lets its reader try it: Swagger UI over
 * `/openapi.json`. Pass it to `createHandler` as `referencePage`. Its files are read here, once
 * (about 2 MB), and served by the handler itself; its content security policy keeps every request
 * on its own host. It throws if its files are missing, for example because a bundler has left them
 * out: the error says what to do.
 *
 * @example
 * ```ts
 * import { createDealwright } from 'dealwright/host';
 * import { createReferencePage } from 'dealwright/reference';
 *
 * const { handler } = createDealwright({
 *   apiTokens: [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
 *   referencePage: createReferencePage(),
 * });
 * ```
 */
export function createReferencePage(): ReferencePage {
  return Object.freeze({
    '/': pageFile('text/html', page),
    '/reference/initialize.js': pageFile('text/javascript', initialize),
    '/reference/page.css': pageFile('text/css', style),
    '/reference/swagger-ui-bundle.js': pageFile('text/javascript', read('swagger-ui-bundle.js')),
    '/reference/swagger-ui.css': pageFile('text/css', read('swagger-ui.css')),
    '/reference/LICENSE': pageFile('text/plain', `${read('NOTICE')}\n${read('LICENSE')}`),
  });
}

function read(name: keyof typeof viewerFiles): string {
  try {
    const url = viewerFiles[name]();
    return inlined(url) ?? readFileSync(url, 'utf8');
  } catch (cause) {
    throw new Error(
      `createReferencePage: the file swagger-ui/${name} is missing. If your program is bundled, keep ` +
        'dealwright/reference out of the bundle (mark it as external), or copy the folder ' +
        'node_modules/dealwright/dist/adapters/reference/swagger-ui beside the bundle.',
      { cause },
    );
  }
}

/** The text of a file that a bundler has put into the program itself, as a data URL in base64. */
function inlined({ protocol, href }: URL): string | undefined {
  if (protocol !== 'data:') return undefined;
  return Buffer.from(href.slice(href.indexOf(',') + 1), 'base64').toString('utf8');
}
