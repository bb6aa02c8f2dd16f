import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, dirname, join, posix, resolve, sep } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../output.js';

/** The members of `host.json`. */
export interface HostFile {
  /** The host's own name. */
  readonly title: string;
  /** The file that mounts the handler. */
  readonly mount?: string;
  /** The host whose files it also uses, if it differs little from it. */
  readonly template?: string;
  /** The folder that the TypeScript files of `common` go to; default: the project itself. */
  readonly common?: string;
  /** The versions of Node that the host runs on, if they are not ours. */
  readonly node?: string;
  /** The protocol of the server, if it is not HTTP/1.1. */
  readonly protocol?: 'h2c';
  /** Dependencies besides those of its package.json. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Whether projects can be made for it: `false` if only our tests run it. */
  readonly init?: boolean;
}

/** The members of our own package.json. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const ownPackagePath = createRequire(import.meta.url).resolve('dealwright/package.json');

export const ownPackage: OwnPackage = JSON.parse(readFileSync(ownPackagePath, 'utf8'));

/** The templates in the package. */
export const templatesFolder = join(dirname(ownPackagePath), 'hosts');

/** The folder of files for projects of every host. */
const commonFolder = 'common';

/** The hosts that projects can be made for, by their names. */
export function listHosts(folder = templatesFolder): ReadonlyMap<string, HostFile> {
  return new Map([...allHosts(folder)].filter(([, { init = true }]) => init));
}

/** The same with those that only our tests run. */
export function allHosts(folder = templatesFolder): ReadonlyMap<string, HostFile> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const read = (name: string): HostFile => {
    const path = join(folder, name, 'host.json');
    const own: HostFile = JSON.parse(readFileSync(path, 'utf8'));
    return own.template === undefined ? own : { ...read(own.template), ...own };
  };
  return new Map(
    names
      .filter((name) => existsSync(join(folder, name, 'host.json')))
      .map((name) => [name, read(name)] as const),
  );
}

/** Files that are left after trying a template in its folder are no part of it. */
const leftOut = /^(?:\..*|node_modules|dist|package-lock\.json)$/;

/** The files below a folder, with `/` between folders. */
function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => leftOut.test(part)));
}

const ofStore = /\.(sqlite|postgres)(?=\.\w+$)/;

/**
 * The files of a template by their paths in the project: those of `common` first, which a file of
 * the host's own replaces. Of files that exist for each store, such as `store.sqlite.ts`, it has
 * the one of this store, as `store.ts`.
 */
export function templateFiles(
  name: string,
  { common = '.', template }: HostFile,
  store: StoreKind,
  folder = templatesFolder,
): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const from of [commonFolder, template ?? name, name]) {
    for (const path of filesBelow(join(folder, from))) {
      const kind = ofStore.exec(path)?.[1];
      if (path === 'host.json' || (kind !== undefined && kind !== store)) continue;
      const place = from === commonFolder && path.endsWith('.ts') ? common : '.';
      const target = posix.join(place, path.replace(ofStore, ''));
      files.set(target, readFileSync(join(folder, from, path)));
    }
  }
  return files;
}

type Versions = Readonly<Record<string, string>>;

/** The members of a template's own package.json. */
interface TemplateManifest {
  readonly type?: string;
  readonly engines?: Versions;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
}

const drivers: Readonly<Record<StoreKind, string>> = { sqlite: 'libsql', postgres: 'pg' };

/**
 * The package.json of a project: the template's, with its name and the dependencies of all
 * projects.
 */
export function manifestOf(
  template: string,
  { node = ownPackage.engines.node, dependencies: more }: HostFile,
  store: StoreKind,
  folder: string,
  dealwright = `^${ownPackage.version}`,
): { readonly name: string; readonly text: string } {
  const { dependencies, devDependencies, ...rest }: TemplateManifest = JSON.parse(template);
  const driver = drivers[store];
  const { neverthrow = '*', [driver]: driverVersion = '*' } = ownPackage.peerDependencies;
  const all = { ...dependencies, ...more, dealwright, neverthrow, [driver]: driverVersion };
  // libsql includes its types
  const types = store === 'postgres' ? { '@types/pg': '^8.0.0' } : {};
  const development = { ...devDependencies, ...types };
  const name = packageName(folder, [...Object.keys(all), ...Object.keys(development)]);
  const manifest = {
    name,
    private: true,
    type: 'module',
    engines: { node },
    ...rest,
    dependencies: sorted(all),
    ...(Object.keys(development).length > 0 && { devDependencies: sorted(development) }),
  };
  return { name, text: `${JSON.stringify(manifest, undefined, 2)}\n` };
}

function sorted(versions: Versions): Versions {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The length that npm allows, with room for an ending. */
const longestName = 200;

/**
 * The name of a folder as npm accepts it: lower case, of characters that need no quoting in a URL,
 * and not the name of a package that the project imports.
 */
export function packageName(folder: string, dependencies: readonly string[]): string {
  const name = basename(resolve(folder))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9._]+/g, '-')
    .slice(0, longestName)
    .replace(/^[._-]+|[._-]+$/g, '');
  if (name === '') return 'my-deals';
  const isTaken =
    dependencies.includes(name) ||
    builtinModules.includes(name) ||
    ['node_modules', 'favicon.ico'].includes(name);
  return isTaken ? `${name}-deals` : name;
}

const version = /^[\^~]?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?$|^(?:latest|next|\*)$/;

/**
 * The dependency in package.json for `--package`: a version, the address of a tarball, or a path of
 * one.
 */
export function parsePackage(given: string | undefined): Result<string | undefined, string> {
  if (given === undefined || version.test(given)) return ok(given);
  if (/^https:\/\/\S+$/.test(given) && URL.canParse(given)) return ok(new URL(given).href);
  if (!/^(?:file:|\.{0,2}[/\\]|\.{1,2}$)|\.tgz$/.test(given)) {
    return err(
      `--package is "${printable(given)}", which is not a package of Dealwright: give a version such as ^${ownPackage.version}, the path of a tarball or of a folder, or an https address`,
    );
  }
  // npm would look for it from the folder of the project
  const path = resolve(given.replace(/^file:/, ''));
  const problem = problemOfPath(path);
  return problem === undefined
    ? ok(`file:${path}`)
    : err(`--package: ${printable(path)} ${problem}: name a tarball of npm pack, or a clone`);
}

/** Why npm could not install Dealwright from a path. */
function problemOfPath(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'does not exist';
  if (found.isFile()) return /\.(?:tgz|tar\.gz)$/.test(path) ? undefined : 'is not a tarball';
  try {
    const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return name === 'dealwright' ? undefined : 'is another package';
  } catch {
    return 'is not a package';
  }
}

/** The address of a project without a setting for its port. */
export const projectUrl = 'http://127.0.0.1:3000/deals';

/** The API token of a project without a setting for it, as in `users.ts` of the templates. */
export const demoToken = 'demo-token';

/** A deal that needs no registered contractor. */
const deal = {
  partner_id: 'order-1',
  email_freelancer: 'freelancer@example.com',
  title: 'Logo',
  description: 'A logo in three colours',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'EUR',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'en',
};

/** The command that creates a deal in a running project. */
export function firstDeal({ protocol }: HostFile): string {
  return [
    `curl -i${protocol === 'h2c' ? ' --http2-prior-knowledge' : ''} ${projectUrl}/api/2.0/deal/`,
    `-H 'Authorization: Token ${demoToken}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(deal)}'`,
  ].join(' \\\n  ');
}

const needs: Readonly<Record<StoreKind, string>> = {
  sqlite: 'It keeps deals and work files in the folder `.deals`.',
  postgres:
    'It keeps deals in the database of PostgreSQL that the variable `DATABASE_URL` names, such as `postgres://user:password@127.0.0.1:5432/deals`, and work files in the folder `.deals`.',
};

/** The README.md of a project. */
export function readmeOf(name: string, host: HostFile, store: StoreKind): string {
  const { title, mount = 'server.ts', common = '.' } = host;
  const at = (file: string) => `\`${posix.join(common, file)}\``;
  return `# ${name}

Freelance deals in ${title} with ${storeNames[store]}: the interface of Dealwright below \`/deals\`.

\`\`\`sh
npm install
npm start
\`\`\`

${needs[store]} Create a deal in another terminal:

\`\`\`sh
${firstDeal(host)}
\`\`\`

To read the whole interface and try each request, open ${projectUrl}/ in a browser. The start says both addresses, and the token.

\`npm test\` starts the project on a free port, and creates a deal with the client.

| File | What it is |
| --- | --- |
| \`${mount}\` | mounts the interface in ${title} |
| ${at('deals.ts')} | wires Dealwright; its options are in \`docs/reference/configuration.md\` of the package |
| ${at('store.ts')} | opens ${storeNames[store]} |
| ${at('announce.ts')} | says where the server listens, and the token for trying out |
| ${at('users.ts')} | who calls: replace it with the users of your application |

\`PORT\` is the port (3000). \`DEALWRIGHT_TOKENS\` has the API tokens of your partners; without it there is the token \`${demoToken}\`, for trying out, unless \`NODE_ENV\` is \`production\`.
`;
}

/** Where a project keeps its deals. */
export type StoreKind = 'sqlite' | 'postgres';

export const storeKinds: readonly StoreKind[] = ['sqlite', 'postgres'];

export const storeNames: Readonly<Record<StoreKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};

/** The project to make, and its folder. */
export interface ProjectPlan {
  /** A host that has a template. */
  readonly host: string;
  /** A folder that does not exist, or has nothing in it. */
  readonly folder: string;
  readonly store: StoreKind;
  /** The project's dependency `dealwright`; default: the version of this package. */
  readonly package?: string | undefined;
  /** The folder of the templates; default: those of this package. */
  readonly templates?: string;
}
