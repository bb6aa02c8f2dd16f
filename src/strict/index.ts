export { strictProfile } from './strict-profile.js';
