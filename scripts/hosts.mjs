// @ts-check
// Judges a real project of each host in hosts/ by the laws, and by requests that hosts are known to
// break, and writes docs/reference/hosts.md.
//   npm run hosts -- --only express,fastify   some of them
//   npm run hosts -- --link --only express    with the packages of this repository, not installed;
//                                             neither runs the projects' own tests nor writes a table
//   npm run hosts -- --laws 2.7,5.2           by some of the laws: ids, or their beginnings
//   npm run hosts -- --keep                   leaves the projects where they are, and says where
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runLaws } from './hosts/laws.mjs';
import { buildLinked } from './hosts/linked.mjs';
import { makeProject, run, startProject, useCases, versionOf } from './hosts/project.mjs';
import { runRequests } from './hosts/requests.mjs';
import { lineOf, writeTable } from './hosts/table.mjs';
import { listHosts, root } from './hosts/templates.mjs';

/** @typedef {import('./hosts/templates.mjs').Host} Host */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    laws: { type: 'string' },
    link: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const all = listHosts();
const names = values.only?.split(',') ?? all.map(({ name }) => name);
const unknown = names.filter((name) => !all.some((host) => host.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown: ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

const hosts = all.filter(({ name }) => names.includes(name));
const work = mkdtempSync(join(tmpdir(), 'dealwright-hosts-'));
const folderOf = (/** @type {Host} */ { name }) => join(work, name);
/** @type {string[]} */
const lines = [];
try {
  const dealwright = values.link ? root : pack();
  for (const host of hosts) makeProject(host, folderOf(host), dealwright);
  if (values.link) {
    for (const host of hosts) useCases(host, folderOf(host));
    await buildLinked(work, names);
  }
  for (const host of hosts) {
    const problems = await runHost(host).catch((error) => [String(error?.message ?? error)]);
    process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${host.title}\n`);
    for (const problem of problems) process.stdout.write(`${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
  // the table is of all laws
  if (!values.link && values.laws === undefined) writeTable(lines);
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  if (values.keep) process.stdout.write(`the projects are in ${work}\n`);
  else rmSync(work, { recursive: true, force: true });
}

/** @returns {string} */
function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', work];
  const packed = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  return join(work, JSON.parse(packed)[0].filename);
}

/**
 * Installs a project, and beside it the version of Node that it runs on.
 *
 * @param {Host} host
 * @param {string} folder
 */
async function install({ runOn }, folder) {
  const command = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run(folder, command);
  if (runOn === undefined) return;
  const node = `node-${process.platform}-${process.arch}@${runOn}`;
  await run(folder, [...command, '--no-save', node]);
}

/**
 * Returns the problems of a host.
 *
 * @param {Host} host
 * @returns {Promise<readonly string[]>}
 */
async function runHost(host) {
  const folder = folderOf(host);
  if (!values.link) await prepare(host, folder);
  const project = await startProject(host, folder);
  try {
    const laws = await runLaws(project.baseUrl, host.exceptions, values.laws?.split(','));
    const requests = await runRequests(project.baseUrl, host.exceptions);
    const [program = '', ...args] = host.runtime ?? ['node', '--version'];
    const printed = await run(folder, [program, ...args]);
    const runtime = /\d+[.-]\d+[.-]\d+/.exec(printed)?.[0] ?? '';
    const version = host.package === undefined ? '' : versionOf(folder, host.package);
    lines.push(lineOf({ host, version, runtime: `${program} ${runtime}`, laws, requests }));
    const failures = [...laws.failures, ...requests.failures];
    return failures.length === 0 ? [] : [...failures, project.output()];
  } finally {
    await project.stop();
  }
}

/**
 * Builds the project as its user does, and then again with the service of each case.
 *
 * @param {Host} host
 * @param {string} folder
 */
async function prepare(host, folder) {
  await install(host, folder);
  await run(folder, ['npm', 'test']);
  useCases(host, folder);
  await run(folder, ['npm', 'run', 'build', '--if-present']);
}
