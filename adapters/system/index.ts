export { createDigest } from './digest.js';
export { createSha256 } from './sha256.js';
export { createSystemPorts } from './system-ports.js';
export { createSystemTimer } from './timer.js';
export { createUlids } from './ulids.js';
