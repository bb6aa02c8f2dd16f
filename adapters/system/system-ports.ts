import type { SystemPorts, Timer } from 'dealwright/ports';
import { systemTimer } from '../shared/timer.js';
import { createDigest, createSha256 } from './digests.js';
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

/**
 * The runtime's own clock and timers.
 *
 * @example
 * ```ts
 * import { createSystemTimer } from 'dealwright/system';
 *
 * const milliseconds = createSystemTimer().now();
 * ```
 */
export function createSystemTimer(): Timer {
  return { ...systemTimer };
}
