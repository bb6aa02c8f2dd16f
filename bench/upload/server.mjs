// @ts-check
// The service over a folder given as its argument, or in memory without, in a process of its own (node --expose-gc). It
// measures its memory: 'reset' starts over, 'reset and collect' too, and collects garbage before each
// measurement; 'peak' asks for the most since then.
import { createServer } from 'node:http';
import { memoryUsage } from 'node:process';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createFolderFileStore } from 'dealwright/files';
import { createHandler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';

const [, , folder] = process.argv;
const system = createSystemPorts();
const marketplace = createMarketplace({
  ...system,
  ...createMemoryStore(),
  ...(folder === undefined ? {} : { files: createFolderFileStore({ folder }) }),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens: createOpaqueTokenIssuer(),
});
const handler = createHandler(marketplace, {
  ...system,
  authenticator: createTokenAuthenticator(
    [['secret-token', { environment: 'sandbox', partner: 'acme' }]],
    system,
  ),
});
const server = createServer(createNodeListener(handler));

/** What the process holds of the machine's memory, and what of its own is in use. */
const measure = () => {
  const { rss, heapUsed, external } = memoryUsage();
  return { rss, used: heapUsed + external };
};
let base = measure();
let peak = base;
let isCollecting = false;

setInterval(() => {
  // what nobody holds any more is not in use, only not collected yet
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
