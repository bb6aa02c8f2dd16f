import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A module of the tests' kit. It is TypeScript, which Node 20 does not import. */
export async function importKit(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../test/kit/${name}.ts`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** Installs wrk from Debian if it is missing. */
export async function ensureWrk() {
  const { ensurePackages } = await importKit('debian');
  ensurePackages('wrk');
}

/** The relay of a marketplace; before there was an entry point of its own, a marketplace was one. */
export async function relayOf(marketplace) {
  if ('subscribe' in marketplace) return marketplace;
  const { createRelay } = await import('dealwright/relay');
  return createRelay(marketplace);
}
