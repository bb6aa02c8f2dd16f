import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, withPlanted } from './plant.js';

const foreign = {
  process: 'process.exit(0);',
  buffer: "Buffer.from('');",
  document: "document.title = '';",
  timer: 'setTimeout(() => {}, 1);',
  console: "console.log('');",
  fetch: "fetch('');",
  crypto: 'crypto.randomUUID();',
  performance: 'performance.now();',
  url: "new URL('');",
  node: "import { readFileSync } from 'node:fs';\nreadFileSync('');",
};

it('the core sees no types of Node and the DOM', async () => {
  const files = Object.fromEntries(
    Object.entries(foreign).map(([name, code]) => [`${name}.ts`, `${code}\nexport {};\n`]),
  );
  const innocent = 'export const when = (ms: number): string => new Date(ms).toISOString();\n';
  // together with all of src: an import of the core could bring those types in by a reference
  const tsconfig = JSON.stringify({
    extends: join(root, 'src/tsconfig.json'),
    compilerOptions: { rootDir: root },
    include: ['.', join(root, 'src')],
  });
  const output = await withPlanted(
    { ...files, 'innocent.ts': innocent, 'tsconfig.json': tsconfig },
    (folder) => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      return spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' })
        .stdout;
    },
  );
  const complaints = output.split('\n').filter((line) => /error TS/.test(line));
  expect(complaints.map((line) => line.replace(/: error.*/, '')).sort()).toEqual(
    Object.keys(foreign)
      .map((name) => `${name}.ts(1,${name === 'node' ? 30 : name === 'url' ? 5 : 1})`)
      .sort(),
  );
});
