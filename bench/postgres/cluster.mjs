import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const kit = fileURLToPath(new URL('../../test/kit/postgres.ts', import.meta.url));

/** The PostgreSQL that the tests start too, with fsync on: real, private, and gone afterwards. */
export async function startPostgres(options = {}) {
  const { outputFiles } = await build({
    entryPoints: [kit],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { startPostgres: start } = await import(`data:text/javascript;base64,${code}`);
  return start(options);
}
