import { readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';
import type { StoreKind } from './project-plan.js';
import { type HostFile, ownPackage } from './templates.js';

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
