import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../adapters/cli/program.js';
import { createServiceBackEnd, createServiceServer, rates } from '../../adapters/cli/service.js';
import { createPorts } from '../kit/ports.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The members of an interface in its file: indented by two spaces, and no deeper. */
function membersOf(path: string, name: string): string[] {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(
    read(path),
  )?.[1];
  return [...(body ?? '').matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => `${member}`);
}

/** The options in the table of a section. */
function documented(heading: string): string[] {
  const [, section = ''] = read('docs/reference/configuration.md').split(`\n## ${heading}(`);
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?) \|/gm);
  return [...rows].flatMap(([, cell]) =>
    [...`${cell}`.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}`),
  );
}

/** The rows of the table that begins with this word. */
function rowsUnder(first: string): string[][] {
  const [, table = ''] = read('docs/reference/configuration.md').split(`\n| ${first} |`);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| `(\w+)`[^|]*\| ([^|]+) \|/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

test('the variables of serve are those of its help, and no others', () => {
  const help = createProgram(process).commands.find((each) => each.name() === 'serve');
  let said = '';
  help?.configureOutput({ writeOut: (text) => (said += text) }).outputHelp();
  const [, environment = ''] = /\nEnvironment:\n(.*?)\n\n/s.exec(said) ?? [];
  const named = [...environment.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(rowsUnder('Variable').map(([name]) => name)).toEqual(named);
});

test('the limits of serve are those of its table', () => {
  const { authenticator: _, ...ports } = createPorts();
  const server = createServiceServer(createServiceBackEnd(ports));
  const units: Readonly<Record<string, number>> = { s: 1000, KiB: 1024 };
  const limits = rowsUnder('Limit').filter(([name = '']) => name in server);
  const documented = limits.map(([name, value = '']) => {
    const [, number = '', unit = ''] = /^([\d,]+) ?(\w*)/.exec(value) ?? [];
    return [name, Number(number.replaceAll(',', '')) * (units[unit] ?? 1)];
  });
  expect(limits.map(([name]) => name)).toEqual(
    expect.arrayContaining(['headersTimeout', 'requestTimeout', 'keepAliveTimeout', 'timeout']),
  );
  expect(Object.fromEntries(documented)).toMatchObject({
    maxConnections: 10_000,
    timeout: 120_000,
  });
  expect(documented).toEqual(limits.map(([name = '']) => [name, Reflect.get(server, name)]));
});

test('how much may come to serve is what decision 5.2 and its table say', () => {
  const { perSecond, burst, offers, failedTokens } = rates;
  const all = [{ perSecond, burst }, offers, failedTokens];
  // 1,000 and 5,000 of a partner or an operator token, 20 and 200 of an offer, 10 and 100 failed tokens
  expect(all.map((each) => [each.perSecond, each.burst])).toEqual([
    [1_000, 5_000],
    [20, 200],
    [10, 100],
  ]);
  const [, section = ''] = read('docs/reference/configuration.md').split('How much may come\n');
  const rows = [...section.matchAll(/^\| [^|]+ \| ([\d,]+)[^|]* \| ([\d,]+)[^|]* \|/gm)].slice(
    0,
    3,
  );
  const numbers = rows.map((row) =>
    row.slice(1).map((number) => Number(number.replaceAll(',', ''))),
  );
  expect(numbers).toEqual(all.map((each) => [each.perSecond, each.burst]));
});

test.each([
  ['createMarketplace', 'src/marketplace-options.ts', 'MarketplaceOptions'],
  ['createHandler', 'adapters/http/server/options.ts', 'HandlerOptions'],
  ['createNodeListener', 'adapters/http/server/node/index.ts', 'NodeListenerOptions'],
  ['createFetchHandler', 'adapters/http/server/web.ts', 'FetchHandlerOptions'],
  ['createDealwright', 'adapters/host/create-dealwright.ts', 'DealwrightOptions'],
  ['createMailer', 'adapters/mail/options.ts', 'MailerOptions'],
  ['createClient', 'adapters/http/client/settings.ts', 'ClientOptions'],
  ['createRateLimiter', 'adapters/auth/rate-limiter.ts', 'RateLimiterOptions'],
  ['createSqliteStore', 'adapters/sqlite/options.ts', 'SqliteStoreOptions'],
  ['createPostgresStore', 'adapters/postgres/connection/options.ts', 'PostgresStoreOptions'],
  ['createFolderFileStore', 'adapters/files/folder-file-store.ts', 'FolderFileStoreOptions'],
  ['createS3FileStore', 'adapters/files/s3/options.ts', 'S3FileStoreOptions'],
  ['createGateway', 'adapters/http/gateway/options.ts', 'GatewayOptions'],
])('the options of %s are all in its table, and no others', (heading, path, name) => {
  const members = membersOf(path, name);
  expect(members.length).toBeGreaterThan(0);
  expect(documented(heading).sort()).toEqual(members.sort());
});
