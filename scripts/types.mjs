// @ts-check
// All versions of TypeScript that the package supports, with all settings: npm run types
import { runTestProgram } from './test-program.mjs';

await runTestProgram('types');
