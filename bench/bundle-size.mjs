import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.mjs';
import { table, verdict } from './report.mjs';

const entryPoints = [
  { name: 'dealwright', target: 34 },
  { name: 'dealwright/client', exports: '{ createClient, eachDeal, eachPage }', target: 12 },
];

async function run() {
  const rows = [];
  for (const { name, exports, target } of entryPoints) {
    const contents = await bundle(name, exports);
    const kilobytes = gzipSync(contents, { level: 9 }).length / 1000;
    rows.push([
      `\`${name}\``,
      `${(contents.length / 1000).toFixed(1)} kB`,
      `${kilobytes.toFixed(1)} kB`,
      `${target} kB`,
      verdict(kilobytes <= target),
    ]);
  }
  return `All exports of an entry point with their dependencies, bundled by esbuild; of \`dealwright/client\` without the receiver of webhooks.

${table(['', 'minified', 'and gzipped', 'target', ''], rows)}
`;
}

export const bundleSize = { name: 'bundle-size', title: 'Bundle size', run };
