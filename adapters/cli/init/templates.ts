import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import type { StoreKind } from './project-plan.js';

/** What `host.json` says of a host. */
export interface HostFile {
  /** What the host calls itself. */
  readonly title: string;
  /** The file that mounts the handler. */
  readonly mount?: string;
  /** The host whose files it takes besides its own, where it differs in little. */
  readonly template?: string;
  /** The folder that the TypeScript files of `common` go to; the project itself, unless told. */
  readonly common?: string;
  /** The versions of Node that the host runs on, where they are not ours. */
  readonly node?: string;
  /** What the server speaks, where it is not HTTP/1.1. */
  readonly protocol?: 'h2c';
  /** What it depends on besides its package.json. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Whether there are projects for it: `false` where only our tests run it. */
  readonly init?: boolean;
}

/** What our own package.json says. */
export interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const ownPackagePath = createRequire(import.meta.url).resolve('dealwright/package.json');

export const ownPackage: OwnPackage = JSON.parse(readFileSync(ownPackagePath, 'utf8'));

/** The templates that the package brings. */
export const templatesFolder = join(dirname(ownPackagePath), 'hosts');

/** What a project of any host gets. */
const commonFolder = 'common';

/** The hosts that there are projects for, with what each says of itself, by their names. */
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

/** What somebody who tried a template in its folder leaves there is no part of it. */
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
 * The files of a template by their paths in the project: those of `common` first, which a file of the
 * host's own replaces. Of files that are there for each store, such as `store.sqlite.ts`, it has the
 * one of this store, as `store.ts`.
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
