import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../output.js';
import {
  allHosts,
  type HostFile,
  listHosts,
  manifestOf,
  type ProjectPlan,
  parsePackage,
  readmeOf,
  templateFiles,
} from './templates.js';

/** A project that was made. */
export interface MadeProject {
  /** Its absolute path. */
  readonly folder: string;
  /** Its name in package.json. */
  readonly name: string;
  readonly host: HostFile;
  /** Its files, with `/` between folders, sorted. */
  readonly files: readonly string[];
}

/** Why no project was made: `usage` is a mistake in the plan, and nothing was tried. */
export interface ProjectProblem {
  readonly kind: 'usage' | 'failed';
  readonly message: string;
}

/**
 * Makes a project from the template of a host: its files, those of all projects and a package.json.
 * Nothing is installed. If it fails, nothing is left.
 *
 * @example
 * const made = makeProject({ host: 'express', folder: 'my-deals', store: 'sqlite' });
 * if (made.isErr()) throw new Error(made.error.message);
 */
export function makeProject(plan: ProjectPlan): Result<MadeProject, ProjectProblem> {
  const { templates, store } = plan;
  const host = allHosts(templates).get(plan.host);
  if (host === undefined) {
    const table = hostTable(listHosts(templates));
    return usage(`there is no host "${printable(plan.host)}"; the hosts are:\n${table}`);
  }
  if (plan.folder === '') return usage('the name of the folder is empty');
  if (printable(plan.folder) !== plan.folder) {
    return usage(`the name of the folder has control characters: ${printable(plan.folder)}`);
  }
  const dealwright = parsePackage(plan.package);
  if (dealwright.isErr()) return usage(dealwright.error);
  const folder = resolve(plan.folder);
  const checked = checkFolder(folder);
  if (checked.isErr()) return usage(checked.error);
  const files = new Map<string, Buffer | string>(templateFiles(plan.host, host, store, templates));
  const template = files.get('package.json');
  if (template === undefined) {
    return err({ kind: 'failed', message: `the template of ${plan.host} has no package.json` });
  }
  const manifest = manifestOf(String(template), host, store, folder, dealwright.value);
  files.set('package.json', manifest.text);
  // npm packs no file of this name, so the templates cannot have one
  files.set('.gitignore', ignored);
  if (!files.has('README.md')) files.set('README.md', readmeOf(manifest.name, host, store));
  const written = writeProject(folder, files);
  return written.isErr()
    ? err({ kind: 'failed', message: written.error })
    : ok({ folder, name: manifest.name, host, files: [...files.keys()].sort() });
}

function usage(message: string): Result<never, ProjectProblem> {
  return err({ kind: 'usage', message });
}

/** The hosts below each other, with their titles. */
export function hostTable(hosts: ReadonlyMap<string, HostFile>): string {
  const width = Math.max(...[...hosts.keys()].map((name) => name.length));
  return [...hosts].map(([name, { title }]) => `  ${name.padEnd(width)}  ${title}`).join('\n');
}

/** Files that are built, installed or stored in a project: no part of its sources. */
const ignored = [
  'node_modules/',
  'dist/',
  '.deals/',
  '.env',
  '.next/',
  '.nuxt/',
  '.output/',
  '.nitro/',
  '.astro/',
  '.svelte-kit/',
  'build/',
  '',
].join('\n');

/** Files by their paths, with `/` between folders. */
export type Files = ReadonlyMap<string, Buffer | string>;

/** The names that may exist in the folder of a new project. */
const harmless = ['.git'];

/** Whether a folder is free for a project, or why not. */
export function checkFolder(folder: string): Result<'missing' | 'empty', string> {
  const name = printable(folder);
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return ok('missing');
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return err(`${name} is a link that leads nowhere`);
    if (!found.isDirectory()) return err(`${name} is a file: name a folder`);
    const entries = readdirSync(folder).filter((entry) => !harmless.includes(entry));
    if (entries.length === 0) return ok('empty');
    const [shown, more] = [entries.sort().slice(0, 5), entries.length - 5];
    const listed = shown.map(printable).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return err(`${name} is not empty: it has ${listed}; name a new folder`);
  } catch (error) {
    return err(problemOf(folder, error));
  }
}

/**
 * Writes a project into an empty place: all of it, or nothing. It is written beside the folder and
 * then renamed. In a folder that exists it is written below it first, as the folder may be a
 * working directory, or a file system of its own. Nothing is awaited, so no signal comes in
 * between.
 */
export function writeProject(folder: string, files: Files): Result<void, string> {
  const checked = checkFolder(folder);
  if (checked.isErr()) return err(checked.error);
  const isNew = checked.value === 'missing';
  const above = isNew ? dirname(folder) : folder;
  const beside = join(above, `.dealwright-init-${randomBytes(6).toString('hex')}.part`);
  const made: string[] = [];
  const moved: string[] = [];
  try {
    makeFolder(above, made);
    mkdirSync(beside);
    for (const [path, content] of files) {
      const target = join(beside, ...path.split('/'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content, { flag: 'wx' });
    }
    if (isNew) {
      renameSync(beside, folder);
    } else {
      for (const entry of readdirSync(beside)) {
        const target = join(folder, entry);
        // a rename would replace a file that was made there meanwhile
        if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw exists();
        renameSync(join(beside, entry), target);
        moved.push(target);
      }
      rmSync(beside, { recursive: true });
    }
    return ok(undefined);
  } catch (error) {
    for (const path of [...moved, beside]) quietly(() => rmSync(path, { recursive: true }));
    // only empty ones: others may be in use by now
    for (const path of made.reverse()) quietly(() => rmdirSync(path));
    return err(problemOf(folder, error));
  }
}

function exists(): NodeJS.ErrnoException {
  return Object.assign(new Error(), { code: 'EEXIST' });
}

/**
 * Creates a folder and those above it, and adds the created ones to `made`. Node's own `recursive`
 * never ends below `/proc`, where the system denies a folder that exists.
 */
function makeFolder(path: string, made: string[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), made);
  mkdirSync(path);
  made.push(path);
}

/** Leaves files that cannot be removed: the reported problem is the failed write. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // the reported problem stays the same
  }
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written to that file system',
  EEXIST: 'another program has put files there meanwhile',
  ENOTEMPTY: 'another program has put files there meanwhile',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'no folder can be created there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk space of this user is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'the path leads back to itself',
};

function problemOf(folder: string, error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return `no project can be made in ${printable(folder)}: ${words[code] ?? code}`;
}
