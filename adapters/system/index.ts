export { createSystemClock } from './clock.js';
export { createDigest } from './digest.js';
export { createSha256 } from './sha256.js';
export { createSystemPorts } from './system-ports.js';
export { createUlids } from './ulids.js';
