// @ts-check
import { request as open } from 'node:http';
import { within } from './wait.mjs';

/**
 * @typedef {object} Sent
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body]
 * @property {boolean} [chunked] sends the body in pieces, without its length
 */
/**
 * @typedef {object} Got
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {boolean} redirected it was sent to the same path with or without its closing slash
 */

/**
 * Sends a request unchanged, on its own connection: nothing is normalised, and an answer before the
 * end of the body counts.
 *
 * @param {string} baseUrl
 * @param {string} path
 * @param {Sent} sent
 * @returns {Promise<Got>}
 */
export async function send(baseUrl, path, sent = {}) {
  const { pathname, host } = new URL(baseUrl);
  const target = (pathname === '/' ? '' : pathname) + path;
  const got = await within(60_000, exchange(host, target, sent));
  const location = got.headers.location ?? '';
  const other = target.endsWith('/') ? target.slice(0, -1) : `${target}/`;
  if (got.status !== 308 || new URL(location, baseUrl).pathname !== other) return got;
  return { ...(await within(60_000, exchange(host, other, sent))), redirected: true };
}

/**
 * @param {string} host
 * @param {string} path
 * @param {Sent} sent
 * @returns {Promise<Got>}
 */
function exchange(host, path, { method = 'GET', headers = {}, body, chunked = false }) {
  return new Promise((resolve, reject) => {
    const [hostname = '', port = ''] = host.split(':');
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = open({
      hostname,
      port,
      path,
      method,
      headers: { ...headers, ...(chunked ? { 'transfer-encoding': 'chunked' } : length) },
      agent: false,
    });
    /** @type {Error | undefined} */
    let broken;
    let isAnswered = false;
    // a server that has answered may close before it has read everything
    request.on('error', (error) => {
      broken = error;
      if (!isAnswered) setTimeout(() => isAnswered || reject(error), 500);
    });
    request.on('response', (response) => {
      isAnswered = true;
      /** @type {Buffer[]} */
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', (error) => reject(broken ?? error));
      response.on('end', () => {
        const { statusCode = 0, headers: got } = response;
        resolve({
          status: statusCode,
          headers: got,
          body: Buffer.concat(pieces),
          redirected: false,
        });
        request.destroy();
      });
    });
    if (!chunked || body === undefined) {
      request.end(body);
      return;
    }
    const bytes = Buffer.from(body);
    const half = Math.ceil(bytes.length / 2);
    request.write(bytes.subarray(0, half));
    setTimeout(() => request.end(bytes.subarray(half)), 20);
  });
}
