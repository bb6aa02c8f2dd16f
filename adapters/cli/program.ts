import { createRequire } from 'node:module';
import { Command } from 'commander';
import { serve } from './serve.js';
import type { Flags } from './settings.js';

const environmentHelp = `
Environment:
  PORT               the port to listen on; 0 takes any free one (default 8787)
  HOST               the address to listen on (default 127.0.0.1: this machine only)
  DEALWRIGHT_TOKENS  the API tokens, <token>=<environment>:<partner>, comma-separated,
                     each split at its last "="; environment is production or sandbox.
                     Without it a sandbox token for partner demo is made and printed.
  DEALWRIGHT_DATA    a folder for an embedded database; ignored for now: everything is
                     kept in memory and gone when the service stops

Examples:
  $ dealwright serve
  $ PORT=0 dealwright serve
  $ DEALWRIGHT_TOKENS='s3cret=sandbox:acme,pr0d=production:acme' dealwright serve
`;

/** The command line. `parseAsync` answers when the service has stopped; the code is the process's. */
export function createProgram(process: NodeJS.Process): Command {
  const program = new Command('dealwright')
    .description('The freelance-deals back end: contractors and deals over HTTP.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('Run dealwright --help for what is there.')
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'dealwright: ')),
    })
    .addHelpText('after', environmentHelp);
  program
    .command('serve')
    .description('serve the deals interface over HTTP until SIGTERM or SIGINT')
    .option('--port <number>', 'stands before PORT')
    .option('--host <address>', 'stands before HOST')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', environmentHelp)
    .action(async (flags: Flags) => {
      process.exitCode = await serve(process, flags);
    });
  return program;
}

function version(): string {
  const read = createRequire(import.meta.url);
  const { version } = read('dealwright/package.json') as { readonly version: string };
  return version;
}
