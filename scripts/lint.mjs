// @ts-check
// Format, lint, types and the checks that need no build, in one command. Everything runs, even
// after failures, so that one run shows all there is to fix.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDependencies } from './checks/dependency-rules.mjs';
import { describeProblem } from './checks/problem.mjs';
import { checkSources } from './checks/source-rules.mjs';
import { checkTsdoc } from './checks/tsdoc.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const biome = 'node_modules/@biomejs/biome/bin/biome';
const tsc = 'node_modules/typescript/bin/tsc';

/**
 * @param {string} name
 * @param {readonly string[]} command
 * @returns {Promise<boolean>}
 */
async function run(name, [script = '', ...args]) {
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  return report(name, code === 0 ? [] : [output.trimEnd()]);
}

/**
 * @param {string} name
 * @param {readonly string[]} problems
 * @returns {boolean}
 */
function report(name, problems) {
  process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  return problems.length === 0;
}

const types = [
  run('format and lint', [biome, 'check', '--error-on-warnings', '.']),
  run('types of the core, without Node and DOM', [tsc, '-p', 'src']),
  run('types of the pages', [tsc, '-p', 'adapters/pages/app']),
  run('types of everything else', [tsc, '-p', 'test']),
];
const checks = [
  report('dependency rules', checkDependencies(root).map(describeProblem)),
  report('source rules', checkSources(root).map(describeProblem)),
  report('TSDoc of every entry point', checkTsdoc(root).map(describeProblem)),
];
process.exitCode = [...checks, ...(await Promise.all(types))].every(Boolean) ? 0 : 1;
