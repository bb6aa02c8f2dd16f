export { createDigest, createSha256 } from './digests.js';
export { createSystemPorts, createSystemTimer } from './system-ports.js';
export { createUlids } from './ulids.js';
