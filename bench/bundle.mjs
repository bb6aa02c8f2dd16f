import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** One entry point of the package, or some of its exports, with all dependencies, minified. */
export async function bundle(entryPoint, exports = '*') {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${exports} from '${entryPoint}';`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    target: 'es2022',
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Puts files where Node can import them, for as long as `use` runs. */
export async function withFiles(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
  try {
    const paths = Object.entries(files).map(([name, contents]) => {
      const path = join(folder, name);
      writeFileSync(path, contents);
      return path;
    });
    return await use(paths);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
