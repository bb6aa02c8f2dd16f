// @ts-check
// Puts the compiled command line into a few files, with the packages that only it needs: it starts
// in half the time, and a host that embeds the library does not install them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';

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
    external: [
      // whoever runs the program has no fast-check, which its verify needs
      ...Object.keys({ ...dependencies, ...peerDependencies }).filter(
        (each) => each !== 'fast-check',
      ),
      // it finds its files beside its module
      `${name}/reference`,
      // it is large, and there already
      `${name}/pages`,
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
  writeFileSync(join(root, folder, 'LICENSES.txt'), licencesOf(root, Object.keys(metafile.inputs)));
}
