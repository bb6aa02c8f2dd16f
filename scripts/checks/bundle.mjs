// @ts-check
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * The size that a page or a worker would load for one entry point, with all its imports, minified
 * and compressed.
 *
 * @param {string} root
 * @param {string} name the public name of the entry point
 * @param {string} [exports] the names to import; default: all
 * @returns {Promise<{ bytes: number, packages: string[] }>}
 */
export async function measureEntryPoint(root, name, exports = '*') {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${exports} from ${JSON.stringify(name)};`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  // files that were read need not be in the bundle
  const included = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
  const packages = included.flatMap(
    (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  return {
    bytes: gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length,
    packages: [...new Set(packages)].sort(),
  };
}
