export { createSystemClock } from './clock.js';
export { createDigest } from './digest.js';
export { createSystemPorts } from './system-ports.js';
export { createUlids } from './ulids.js';
