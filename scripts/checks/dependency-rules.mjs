// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from './source-files.mjs';

/** @typedef {import('./problem.mjs').Problem} Problem */

const house = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The rules of imports (.dependency-cruiser.mjs), type-only imports included. A check that sees no
 * module lets everything pass, so this one also reports files that it did not see.
 *
 * @param {string} root
 * @returns {Problem[]}
 */
export function checkDependencies(root) {
  const files = listFiles(root, ['src', 'spec', 'adapters'], /\.tsx?$/);
  const folders = ['src', 'spec', 'adapters'].filter((each) =>
    files.some((file) => file.startsWith(each)),
  );
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(house, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(house, '.dependency-cruiser.mjs'),
      '--output-type',
      'json',
      ...folders,
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  try {
    return problemsOf(JSON.parse(stdout), files);
  } catch {
    return [{ file: '.dependency-cruiser.mjs', line: 1, message: `did not run: ${stderr.trim()}` }];
  }
}

/**
 * @param {Report} report
 * @param {readonly string[]} files that the report must contain
 * @returns {Problem[]}
 */
export function problemsOf(report, files) {
  const seen = new Set(report.modules.map((module) => module.source));
  return [
    ...files
      .filter((file) => !seen.has(file))
      .map((file) => ({ file, line: 1, message: 'the dependency rules did not see this file' })),
    ...report.summary.violations.map(({ from, to, rule, cycle }) => ({
      file: from,
      line: 1,
      message: `${rule.name}: imports ${cycle?.map((each) => each.name).join(' -> ') ?? to}`,
    })),
  ];
}

/**
 * The part of a report of dependency-cruiser that is read here.
 *
 * @typedef {object} Report
 * @property {{ source: string }[]} modules
 * @property {{ violations: Violation[] }} summary
 *
 * @typedef {object} Violation
 * @property {string} from
 * @property {string} to
 * @property {{ name: string }} rule
 * @property {{ name: string }[]} [cycle]
 */
