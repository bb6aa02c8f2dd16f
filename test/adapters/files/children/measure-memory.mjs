// @ts-check
// Puts 25 MiB into a store and reads them again. Prints by how many bytes the memory in use outside
// of the heap grew at most: the memory of buffers, after a collection at every tenth piece. The
// options choose the store; without options it is the store in memory, which keeps all of it.
import { createFolderFileStore } from 'dealwright/files';
import { createMemoryFileStore } from 'dealwright/memory';
import { createS3FileStore } from 'dealwright/s3';

const { gc } = globalThis;
if (gc === undefined) throw new Error('run with --expose-gc');
const options = JSON.parse(process.argv[2] ?? '{}');
const store =
  'folder' in options
    ? createFolderFileStore(options)
    : 'bucket' in options
      ? createS3FileStore(options)
      : createMemoryFileStore();
const tenant = /** @type {const} */ ({ environment: 'sandbox', partner: 'acme' });
const pieceSize = 64 * 1024;
const pieces = 400;

const inUse = () => {
  gc();
  return process.memoryUsage().external;
};
let peak = 0;
let peakRss = 0;
const sample = () => {
  peak = Math.max(peak, inUse());
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
};

/** @param {number} count */
async function* content(count) {
  for (let number = 0; number < count; number += 1) {
    const piece = new Uint8Array(pieceSize).fill(number);
    yield piece;
    if (number % 10 === 0) sample();
  }
}

/** @param {string} id @param {number} count */
async function roundTrip(id, count) {
  (await store.put(tenant, id, content(count)))._unsafeUnwrap();
  const got = (await store.get(tenant, id))._unsafeUnwrap();
  if (got === undefined) throw new Error('nothing was kept');
  let size = 0;
  for await (const piece of got) {
    size += piece.length;
    if (size % (16 * pieceSize) < piece.length) sample();
  }
  if (size !== count * pieceSize) throw new Error(`${size} bytes came back`);
}

// modules that are loaded, and buffers that are set up, by the first use
await roundTrip('01KDVE00000000000000000000', 2);
const timer = setInterval(sample, 50);
const before = inUse();
const rssBefore = process.memoryUsage.rss();
peak = before;
await roundTrip('01KDVE00000000000000000001', pieces);
clearInterval(timer);
console.log(JSON.stringify({ growth: peak - before, rss: peakRss - rssBefore }));
