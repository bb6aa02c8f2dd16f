// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from './anchor.mjs';
import { listHosts, root } from './templates.mjs';

/**
 * The results of a run for a host.
 *
 * @typedef {object} Row
 * @property {import('./templates.mjs').Host} host
 * @property {string} version of the host
 * @property {string} runtime
 * @property {import('./laws.mjs').Outcome} laws
 * @property {{ passed: readonly string[], failures: readonly string[], notes: readonly string[] }} requests
 */

const page = join(root, 'docs', 'reference', 'hosts.md');
const start = '<!-- hosts -->\n';
const end = '<!-- /hosts -->';
const head = [
  '| Host | Version | Runtime | Laws | Requests | Own users | Notes |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];

/**
 * Where the page of all hosts has this one. One that runs the project of another has the other's section.
 *
 * @param {import('./templates.mjs').Host} host
 */
function sectionOf({ name, template = name, title }) {
  const shown = listHosts().find((each) => each.name === template)?.title ?? title;
  return `../how-to/mount-in-your-framework.md#${anchorOf(shown)}`;
}

/** @param {Row} row */
export function lineOf({ host, version, runtime, laws, requests }) {
  const count = (/** @type {number} */ passed, /** @type {readonly string[]} */ failures) =>
    `${passed} of ${passed + failures.length}`;
  const cells = [
    `[${host.title}](${sectionOf(host)})`,
    version,
    runtime,
    count(laws.passed, laws.failures),
    count(requests.passed.length, requests.failures),
    requests.passed.includes('own users') ? 'yes' : 'no',
    [...laws.notes, ...requests.notes].join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * Writes the lines of a run into docs/reference/hosts.md. A host that was not run keeps its line.
 *
 * @param {readonly string[]} lines
 */
export function writeTable(lines) {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start);
  const [table = '', after = ''] = rest.split(end);
  const hostOf = (/** @type {string} */ line) => line.split(' | ')[0] ?? '';
  const kept = table.split('\n').filter((line) => line.startsWith('| ['));
  const all = new Map([...kept, ...lines].map((line) => [hostOf(line), line]));
  const sorted = [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  writeFileSync(page, `${before}${start}${[...head, ...sorted].join('\n')}\n${end}${after}`);
}
