import { parseArgs } from 'node:util';
import { runFuzz } from './run.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** How many of a hundred requests go over a socket. */
    sockets: { type: 'string', default: '5' },
  },
});
const [requests, seed, sockets] = [values.requests, values.seed, values.sockets].map(Number);
if (requests === undefined || seed === undefined || sockets === undefined) {
  throw new TypeError('--requests, --seed and --sockets are numbers');
}
const begun = performance.now();
process.stdout.write(`seed ${seed}\n`);
const { counts, slowest, heap, overSockets, serverErrors } = await runFuzz(
  requests,
  seed,
  sockets,
  {
    report: (done) => {
      if (done % 20_000 === 0) process.stdout.write(`${done} ...\n`);
    },
  },
);
const seconds = (performance.now() - begun) / 1000;
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const statuses = [...new Set([...counts.keys()].map((key) => key.split(' ')[1] ?? ''))].sort();
const rows = [...new Set([...counts.keys()].map((key) => key.split(' ')[0] ?? ''))].sort();
process.stdout.write(
  [
    `${requests} requests in ${seconds.toFixed(0)} s, ${overSockets} over sockets`,
    ['', ...statuses].join('\t'),
    ...rows.map((row) =>
      [row, ...statuses.map((status) => counts.get(`${row} ${status}`) ?? 0)].join('\t'),
    ),
    `5xx: ${serverErrors}`,
    `slowest: ${slowest.milliseconds.toFixed(0)} ms, ${slowest.request}`,
    `heap: ${mebibytes(heap.warm)} once warm, ${mebibytes(heap.end)} at the end`,
    '',
  ].join('\n'),
);
