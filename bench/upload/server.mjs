// @ts-check
// The service over the folder that is its first argument, or in memory if that is empty, in a
// process of its own (node --expose-gc); `plain` as the second is a bare node:http server instead.
// It measures its memory: 'reset' starts over, 'reset and collect' too, and collects garbage before
// each measurement; 'peak' asks for the maximum since then.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createFolderFileStore } from 'dealwright/files';
import { createHandler } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';

const [, , folder, kind] = process.argv;

/** The handler as a host wires it. */
function listener() {
  const system = createSystemPorts();
  const marketplace = createMarketplace({
    ...system,
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    ...(folder ? { files: createFolderFileStore({ folder }) } : {}),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
  });
  const authenticator = createTokenAuthenticator(
    [['secret-token', { environment: 'production', partner: 'acme' }]],
    system,
  );
  return createNodeListener(createHandler(marketplace, { ...system, authenticator }));
}

/**
 * The least cost of an upload through `node:http`: the raw body, hashed and written to the folder.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function plainListener(request, response) {
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const piece of request) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(hashed, createWriteStream(join(folder ?? '', 'plain')));
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: { id: 1, sha256: hash.digest('hex') } }));
}

const server = createServer(kind === 'plain' ? plainListener : listener());

/** The memory of the process, and the part of its heap in use. */
const measure = () => {
  const { rss, heapUsed, external } = memoryUsage();
  return { rss, used: heapUsed + external };
};
let base = measure();
let peak = base;
let isCollecting = false;

setInterval(() => {
  // unreferenced memory is not in use, only not collected yet
  if (isCollecting) globalThis.gc?.();
  const { rss, used } = measure();
  peak = { rss: Math.max(peak.rss, rss), used: Math.max(peak.used, used) };
}, 2);

process.on('message', (asked) => {
  if (asked === 'peak') {
    process.send?.({ rss: peak.rss - base.rss, used: peak.used - base.used });
    return;
  }
  isCollecting = asked === 'reset and collect';
  globalThis.gc?.();
  globalThis.gc?.();
  base = measure();
  peak = base;
  process.send?.('reset');
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
