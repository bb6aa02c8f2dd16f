// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { contractor, deal } from '../validation/cases.mjs';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));
const boundary = 'boundary-of-an-upload';
const authorization = 'Token secret-token';

/**
 * The memory that an upload costs a service at its peak, above its memory at rest: `used` counts
 * memory in use, with garbage collected before each measurement, or memory in use or not collected
 * yet; `rss` is the whole memory of the process.
 *
 * @param {number} size bytes of the file
 * @param {boolean} isCollecting
 * @param {'disk' | 'memory' | 'plain'} kind where the service keeps files; `plain` is not our service
 *   but a bare `node:http` server that writes the body to a disk
 * @returns {Promise<{ rss: number, used: number, seconds: number }>} bytes
 */
export async function measureUpload(size, isCollecting, kind = 'disk') {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-upload-'));
  const args = kind === 'memory' ? [''] : [folder, kind];
  const child = fork(server, args, { execArgv: ['--expose-gc'] });
  try {
    const [{ port }] = await once(child, 'message');
    const baseUrl = `http://127.0.0.1:${port}`;
    const path = await createDeal(baseUrl);
    // what a service does for the first time has its own cost
    for (let warm = 0; warm < 50; warm += 1) await upload(baseUrl + path, 100_000);
    await ask(child, isCollecting ? 'reset and collect' : 'reset');
    const begun = performance.now();
    await upload(baseUrl + path, size);
    const seconds = (performance.now() - begun) / 1000;
    return { ...(await ask(child, 'peak')), seconds };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {string} question */
async function ask(child, question) {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer;
}

/** @param {string} baseUrl */
async function createDeal(baseUrl) {
  /** @param {string} path @param {object} body */
  const post = async (path, body) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(baseUrl + path, init);
    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  await post('/api/1.0/contractor/', contractor);
  const { data } = await post('/api/1.0/deal/', deal);
  return `/api/1.0/deal/${data.id}/file/`;
}

/** @param {number} size */
function* form(size) {
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`,
  );
  const piece = Buffer.alloc(64 * 1024, 'work');
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** @param {string} url @param {number} size */
async function upload(url, size) {
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const sent = request(url, { method: 'POST', headers });
  const answered = once(sent, 'response');
  await pipeline(Readable.from(form(size)), sent);
  const [response] = await answered;
  const body = (await response.toArray()).join('');
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${body}`);
}
