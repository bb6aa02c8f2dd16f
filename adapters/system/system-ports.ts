import type { SystemPorts } from 'dealwright/ports';
import { createDigest } from './digest.js';
import { createSha256 } from './sha256.js';
import { createSystemTimer } from './timer.js';
import { createUlids } from './ulids.js';

/**
 * Clock, timer, ids and digests of the runtime: Node, Deno, Bun, Workers or a browser.
 *
 * @example
 * ```ts
 * import { createSystemPorts } from 'dealwright/system';
 *
 * const { timer, ids, digest, sha256 } = createSystemPorts();
 * ```
 */
export function createSystemPorts(): SystemPorts {
  return {
    clock: { now: () => Date.now() },
    timer: createSystemTimer(),
    ids: createUlids(),
    digest: createDigest(),
    sha256: createSha256(),
  };
}
