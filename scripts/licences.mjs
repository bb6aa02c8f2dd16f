// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of files with the text of a licence. */
const licenceFile = /^(licen[cs]e|copying|notice)\b/i;

/**
 * The licences of the packages of these files, which every copy of them must include.
 *
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {string}
 */
export function licencesOf(root, files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((each) => licenceOf(join(root, each)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * The name and version of a package, and the text of its licence.
 *
 * @param {string} folder
 */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => licenceFile.test(file));
  if (files.length === 0)
    throw new Error(`${name}: there is no file with its licence (${license})`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
