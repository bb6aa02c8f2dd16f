import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import type { StoreKind } from './project-plan.js';

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
