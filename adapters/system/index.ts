export { createDigest, createSha256 } from './digests.js';
export { createSandboxClock } from './sandbox-clock.js';
export { createSystemPorts, createSystemTimer } from './system-ports.js';
export { createUlids } from './ulids.js';
