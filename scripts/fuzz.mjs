// @ts-check
// More of the fuzz test than a test run has time for: npm run fuzz -- --requests 500000 --seed 1
import { runTestProgram } from './test-program.mjs';

await runTestProgram('fuzz');
