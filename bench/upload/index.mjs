import { table, verdict } from '../report.mjs';
import { median } from '../statistics.mjs';
import { measureUpload } from './measure.mjs';

const rounds = 5;
const size = 25 * 2 ** 20;
const target = 8;

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const kinds = { disk: 'dealwright, folder store', plain: 'bare `node:http`, no form' };

async function run() {
  const names = Object.keys(kinds);
  const figures = new Map(names.map((name) => [name, { collected: [], left: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      figures.get(name).collected.push(await measureUpload(size, true, name));
      figures.get(name).left.push(await measureUpload(size, false, name));
    }
  }
  const middle = (name, when, what) => median(figures.get(name)[when].map((each) => each[what]));
  const rows = names.map((name) => [
    kinds[name],
    mebibytes(middle(name, 'collected', 'used')),
    mebibytes(middle(name, 'left', 'used')),
    mebibytes(middle(name, 'left', 'rss')),
    `${middle(name, 'left', 'seconds').toFixed(2)} s`,
  ]);
  const inUse = middle('disk', 'collected', 'used');
  return `A file of 25 MiB as \`multipart/form-data\`, through \`node:http\`, hashed and written to a disk, the
first large file of its process: peaks of memory, less the memory before the upload, the median of ${rounds}
processes. "In use" is measured with a garbage collection every 2 ms. Without it, Node keeps the
buffers of uploads until they have some 32 MiB, as the bare server shows.

${table(['', 'in use', 'in use or not collected yet', 'resident', 'one upload'], rows)}

- ${mebibytes(inUse)} held by the upload (target: ${target} MiB; ${verdict(inUse <= target * 2 ** 20)}).
`;
}

export const upload = { name: 'upload', title: 'An upload of 25 MiB', run };
