// @ts-check
import { createServer } from 'node:http';
import { connect } from 'node:http2';

/** Headers that HTTP/2 does not have (RFC 9113, 8.2.2). */
const hopByHop = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Lets clients of HTTP/1.1 call a server of HTTP/2 without TLS: requests are passed on unchanged.
 *
 * @param {number} port the port of the server
 * @returns {Promise<{ port: number, close: () => Promise<void> }>}
 */
export async function serveHttp1For(port) {
  /** @type {import('node:http2').ClientHttp2Session | undefined} */
  let session;
  // the first request may come before the server listens
  const open = () => {
    if (session !== undefined && !session.destroyed && !session.closed) return session;
    session = connect(`http://127.0.0.1:${port}`).on('error', () => {});
    return session;
  };
  const server = createServer((request, response) => {
    const { host, ...headers } = request.headers;
    const asked = {
      ':method': request.method,
      ':path': request.url,
      ':authority': host,
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))),
    };
    // else a DELETE is sent without its body
    const stream = open().request(asked, { endStream: false });
    stream.on('response', ({ ':status': status = 502, ...answered }) => {
      const own = Object.entries(answered).filter(([name]) => !name.startsWith(':'));
      response.writeHead(status, Object.fromEntries(own));
      stream.pipe(response, { end: false });
    });
    // to end with the rest of a body unread would reset the connection (RFC 9112, 9.6)
    stream.on('end', () => {
      if (request.complete) response.end();
      else
        request
          .unpipe(stream)
          .once('end', () => response.end())
          .resume();
    });
    stream.on('error', () => response.destroy());
    request.pipe(stream);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port: address.port,
    async close() {
      session?.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
