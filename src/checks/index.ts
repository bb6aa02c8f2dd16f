export { type CheckedContent, createInputChecks, type InputChecks } from './input-checks.js';
