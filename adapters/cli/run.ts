import { CommanderError } from 'commander';
import { usageExit } from './exit-codes.js';
import { createProgram } from './program.js';

// a reader that goes away (dealwright serve | head -1) is no reason to stop serving
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  await createProgram(process).parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // commander has said what is wrong; its own code for that is 1
  process.exitCode = error.exitCode === 0 ? 0 : usageExit;
}
// no timer that a port has left may keep a stopped service alive
process.exit();
