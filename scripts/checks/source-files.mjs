// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Every file below these folders of the root whose name matches, sorted, with `/` between folders.
 *
 * @param {string} root
 * @param {readonly string[]} folders
 * @param {RegExp} name
 * @returns {string[]}
 */
export function listFiles(root, folders, name) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file).split(sep).join('/'),
      ),
    )
    .filter((file) => name.test(file) && !file.includes('node_modules/'))
    .sort();
}

/**
 * @param {string} root
 * @param {string} file
 * @returns {string}
 */
export function readText(root, file) {
  return readFileSync(join(root, file), 'utf8');
}
