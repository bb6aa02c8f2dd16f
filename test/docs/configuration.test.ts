import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The members of an interface, as its file declares them: two spaces in, and no deeper. */
function membersOf(path: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(
    read(path),
  )?.[1];
  return [...(body ?? '').matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => `${member}`);
}

/** The options that the table of a section names. */
function documented(heading: string): string[] {
  const [, section = ''] = read('docs/reference/configuration.md').split(`\n## ${heading}(`);
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?) \|/gm);
  return [...rows].flatMap(([, cell]) =>
    [...`${cell}`.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}`),
  );
}

test.each([
  ['createMarketplace', 'src/marketplace-options.ts', 'MarketplaceOptions'],
  ['createHandler', 'adapters/http/options.ts', 'HandlerOptions'],
  ['createNodeListener', 'adapters/http/node.ts', 'NodeListenerOptions'],
  ['createClient', 'adapters/http/client/settings.ts', 'ClientOptions'],
  ['createRateLimiter', 'adapters/auth/rate-limiter.ts', 'RateLimiterOptions'],
  ['createFolderFileStore', 'adapters/files/folder-file-store.ts', 'FolderFileStoreOptions'],
  ['createS3FileStore', 'adapters/files/s3/options.ts', 'S3FileStoreOptions'],
  ['createHttpRepositories', 'adapters/http/repositories/options.ts', 'HttpRepositoriesOptions'],
])('the options of %s are all in its table, and no others', (heading, path, name) => {
  const members = membersOf(path, name);
  expect(members.length).toBeGreaterThan(0);
  expect(documented(heading).sort()).toEqual(members.sort());
});
