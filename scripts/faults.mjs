// @ts-check
// More kills than a test run has time for: npm run faults -- --store sqlite --kills 500 --seed 1
import { runTestProgram } from './test-program.mjs';

await runTestProgram('faults');
