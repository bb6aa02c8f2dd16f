// @ts-check
// Puts the compiled command line into a few files, with the packages that only it needs: it starts
// in half the time, and a host that embeds the library does not install them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The names of files with the text of a licence. */
const licenceFile = /^(licen[cs]e|copying|notice)\b/i;

/**
 * @param {string} root
 * @param {string} entry the compiled program
 * @param {string} folder where its files go, in place of the present ones
 */
export async function bundleProgram(root, entry, folder) {
  const { name, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: '[name]-[hash]',
    // the page finds its files beside its module
    external: [
      // whoever runs the program has no fast-check, which its verify needs
      ...Object.keys({ ...dependencies, ...peerDependencies }).filter(
        (each) => each !== 'fast-check',
      ),
      `${name}/reference`,
    ],
    // some of the packages inside are CommonJS
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const packages = packagesOf(Object.keys(metafile.inputs));
  writeFileSync(
    join(root, folder, 'LICENSES.txt'),
    packages.map((each) => licenceOf(join(root, each))).join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/**
 * The folders of the packages of these files.
 *
 * @param {readonly string[]} files
 */
function packagesOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The name and version of a package, and the text of its licence, which every copy must include.
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
