import type { Command } from 'commander';

/** What the commands that open a store read. */
const storeEnvironment = `  DATABASE_URL       keeps deals in PostgreSQL: postgres://user:password@host:5432/database
  DEALWRIGHT_DATA    the folder for work files and, without DATABASE_URL, for the database
                     of deals (default .dealwright); it is made, for this user alone`;

/** What `serve` reads, and examples of it. */
export const serveEnvironment = `
Environment:
  PORT               the port to listen on; 0 takes any free one (default 8787)
  HOST               the address to listen on (default 127.0.0.1: this machine only)
  DEALWRIGHT_TOKENS  the API tokens, <token>=<environment>:<partner>, comma-separated,
                     each split at its last "="; environment is production or sandbox.
                     Without it a sandbox token for partner demo is created and printed.
  DEALWRIGHT_CONTRACTOR_SCOPE  environment (default): the partners of an environment share
                     their contractors, and the first to register one supplies its bank
                     account; partner: each partner registers its own
  DEALWRIGHT_PROFILE  interface (default), or strict: also checks what a payout needs
${storeEnvironment}

Examples:
  $ dealwright serve
  $ PORT=0 dealwright serve --memory
  $ DEALWRIGHT_TOKENS='s3cret=sandbox:acme,pr0d=production:acme' dealwright serve
`;

const help = `
Environment:
${storeEnvironment}
`;

/** Adds the command that is the service. */
export function addServe(program: Command, process: NodeJS.Process): void {
  program
    .command('serve')
    .description('serve the deals interface over HTTP until SIGTERM or SIGINT')
    .option('--port <number>', 'stands before PORT')
    .option('--host <address>', 'stands before HOST')
    .option('--memory', 'keep everything in memory, for trying out: it is gone when it stops')
    .option('--no-migrate', 'leave the schema of the database as it is')
    .addHelpText('after', serveEnvironment)
    .action(async (flags) => {
      // each command loads what it needs by itself, so that all of them start soon
      const { serve } = await import('./serve.js');
      process.exitCode = await serve(process, flags);
    });
}

/** Adds the commands that look after the store of a service. */
export function addStoreCommands(program: Command, process: NodeJS.Process): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version; serve does it by itself')
    .option('--print', 'print the SQL of all steps, and touch nothing')
    .option('--distribute', 'distribute the tables over a cluster of Citus by tenant, once')
    .addHelpText('after', help)
    .action(async (flags) => {
      const { migrate } = await import('./store/migrate-command.js');
      process.exitCode = await migrate(process, flags);
    });
  program
    .command('dump')
    .description('write everything that a store holds as lines of JSON: a backup, or to move on')
    .option('--out <file>', 'a file, which is there once all of it is; without it, or as -, stdout')
    .option('--without-files', 'leave the contents of work files out')
    .option('--quiet', 'show no progress')
    .addHelpText(
      'after',
      `${help}
A service may go on meanwhile: the dump is of one moment. What is in it is personal and secret.

Examples:
  $ dealwright dump --out deals.ndjson
  $ dealwright dump | gzip > deals.ndjson.gz
`,
    )
    .action(async (flags) => {
      const { dump } = await import('./store/dump-command.js');
      process.exitCode = await dump(process, flags);
    });
  program
    .command('restore')
    .argument('<file>', 'what dump wrote; - is stdin')
    .description('read everything into an empty store: all of it, or nothing')
    .option('--without-files', 'pass over the contents of work files')
    .option('--quiet', 'show no progress')
    .addHelpText(
      'after',
      `${help}
Examples:
  $ DEALWRIGHT_DATA=other dealwright restore deals.ndjson
  $ dealwright dump | DATABASE_URL=postgres://127.0.0.1/deals dealwright restore -
`,
    )
    .action(async (path, flags) => {
      const { restore } = await import('./store/restore-command.js');
      process.exitCode = await restore(process, path, flags);
    });
  program
    .command('sweep')
    .description('remove what uploads left behind when they were killed; serve does it daily')
    .option('--min-age <hours>', 'how old it is at least, 2 to 8760 (default 24)')
    .addHelpText(
      'after',
      `${help}  DEALWRIGHT_TOKENS  the API tokens of serve: the files of their partners are swept

Example:
  $ dealwright sweep --min-age 48
`,
    )
    .action(async (flags) => {
      const { sweepOnce } = await import('./store/sweep-command.js');
      process.exitCode = await sweepOnce(process, flags);
    });
}
