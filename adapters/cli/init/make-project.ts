import { resolve } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { printable } from '../printable.js';
import { manifestOf, parsePackage } from './manifest.js';
import type { ProjectPlan } from './project-plan.js';
import { readmeOf } from './readme.js';
import { allHosts, type HostFile, listHosts, templateFiles } from './templates.js';
import { checkFolder, writeProject } from './write-project.js';

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
