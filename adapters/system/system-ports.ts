import type { SystemPorts } from 'dealwright/ports';
import { createSystemClock } from './clock.js';
import { createDigest } from './digest.js';
import { createSha256 } from './sha256.js';
import { createUlids } from './ulids.js';

/**
 * Clock, ids and digests of the runtime: Node, Deno, Bun, Workers or a browser.
 *
 * @example
 * ```ts
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const { clock, ids, digest, sha256 } = createSystemPorts();
 * ```
 */
export function createSystemPorts(): SystemPorts {
  return {
    clock: createSystemClock(),
    ids: createUlids(),
    digest: createDigest(),
    sha256: createSha256(),
  };
}
