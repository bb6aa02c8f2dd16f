import type { Command } from 'commander';
import type { SweepFlags } from '../sweep-command.js';
import { type DumpFlags, dump } from './dump-command.js';
import { type MigrateFlags, migrate } from './migrate-command.js';
import { type RestoreFlags, restore } from './restore-command.js';

/** What the commands that open a store read. */
export const storeEnvironment = `  DATABASE_URL       keeps deals in PostgreSQL: postgres://user:password@host:5432/database
  DEALWRIGHT_DATA    the folder for work files and, without DATABASE_URL, for the database
                     of deals (default .dealwright); it is made, for this user alone`;

const help = `
Environment:
${storeEnvironment}
`;

/** Adds the commands that open a store themselves. */
export function addStoreCommands(program: Command, process: NodeJS.Process): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version; serve does it by itself')
    .option('--print', 'print the SQL of all steps, and touch nothing')
    .option('--distribute', 'distribute the tables over a cluster of Citus by tenant, once')
    .addHelpText('after', help)
    .action(async (flags: MigrateFlags) => {
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
    .action(async (flags: DumpFlags) => {
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
    .action(async (path: string, flags: RestoreFlags) => {
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
    .action(async (flags: SweepFlags) => {
      // the marketplace that it needs makes the other commands start no later
      const { sweepOnce } = await import('../sweep-command.js');
      process.exitCode = await sweepOnce(process, flags);
    });
}
