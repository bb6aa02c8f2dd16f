import { table, verdict } from '../report.mjs';
import { median } from '../statistics.mjs';
import { measureUpload } from './measure.mjs';

const rounds = 5;
const size = 25 * 2 ** 20;
const target = 8;

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

async function run() {
  const collected = [];
  const left = [];
  for (let round = 0; round < rounds; round += 1) {
    collected.push(await measureUpload(size, true));
    left.push(await measureUpload(size, false));
  }
  const middle = (results, name) => median(results.map((each) => each[name]));
  const inUse = middle(collected, 'used');
  const rows = [
    ['in use', mebibytes(inUse)],
    ['in use or not collected yet', mebibytes(middle(left, 'used'))],
    ['resident', mebibytes(middle(left, 'rss'))],
  ];
  return `A file of 25 MiB as \`multipart/form-data\`, through \`node:http\`, hashed and written to a disk, as the
first large one of a process of its own; ${rounds} processes each, the median of the peaks over what the process
has at rest. The first row is measured with the garbage collected every 2 ms. Without that, Node leaves
the buffers that it has read into until there are some 32 MiB of them, of all uploads together.

${table(['', 'peak extra memory'], rows)}

- ${mebibytes(inUse)} held by the upload (target: ${target} MiB; ${verdict(inUse <= target * 2 ** 20)}); with what is not collected yet, the process grows by more than that; ${middle(left, 'seconds').toFixed(2)} s an upload.
`;
}

export const upload = { name: 'upload', title: 'An upload of 25 MiB', run };
