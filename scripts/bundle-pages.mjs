// @ts-check
// Puts the pages for people, their scripts and styles minified, as texts into one compiled module:
// no bundler of a host has to copy files, and a runtime without files has the pages too.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';

/** The title of each page until its script runs. */
const titles = { console: 'Console', offer: 'Offer', portal: 'Portal' };

/**
 * @param {string} root
 * @param {string} sources the folder of the pages, each a folder with `main.tsx` and `style.css`
 * @param {string} module the compiled module that is replaced
 */
export async function bundlePages(root, sources, module) {
  if (!existsSync(join(root, sources))) return;
  const names = readdirSync(join(root, sources)).filter((name) =>
    existsSync(join(root, sources, name, 'main.tsx')),
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.flatMap((name) => [
      { in: join(sources, name, 'main.tsx'), out: `${name}-script` },
      { in: join(sources, name, 'style.css'), out: `${name}-style` },
    ]),
    outdir: 'pages',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  /** @param {string} start */
  const fileOf = (start) => {
    const file = outputFiles.find(({ path }) => basename(path).startsWith(`${start}-`));
    if (file === undefined) throw new Error(`the bundle has no ${start}`);
    return [basename(file.path), file.text];
  };
  const pages = Object.fromEntries(
    names.map((name) => {
      const title = Reflect.get(titles, name);
      if (title === undefined) throw new Error(`the page ${name} has no title`);
      return [name, { title, script: fileOf(`${name}-script`), style: fileOf(`${name}-style`) }];
    }),
  );
  // files that were read need not be in a script
  const included = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0),
  );
  const licences = licencesOf(root, included);
  writeFileSync(
    join(root, module),
    `export const builtPages = ${JSON.stringify({ pages, licences })};\n`,
  );
  // it would be the map of what was replaced
  rmSync(join(root, `${module}.map`), { force: true });
}
