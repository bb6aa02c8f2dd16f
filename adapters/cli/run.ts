import { CommanderError } from 'commander';
import { usageExit } from './problem.js';
import { createProgram } from './program.js';

// a reader that goes away (dealwright serve | head -1) is no reason to stop serving
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  await createProgram(process).parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // commander has printed the problem; its own exit code is 1
  process.exitCode = error.exitCode === 0 ? 0 : usageExit;
}
// a leftover timer of a port must not keep a stopped service alive
process.exit();
