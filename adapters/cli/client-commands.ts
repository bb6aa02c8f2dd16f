import { type Command, Option } from 'commander';
import { create, createDeal } from './create-command.js';
import {
  contractorFields,
  dealFields,
  dealListFields,
  dealV2Fields,
  type Fields,
  flagOf,
} from './fields.js';
import { importFile } from './import-command.js';
import { getDeal, listCategories, listDeals } from './read-commands.js';
import { type Session, withSession } from './session.js';
import { uploadFile } from './upload-command.js';

const environment = `
Environment:
  DEALWRIGHT_URL    where the service is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 unknown token, 130 interrupted
`;

/** Adds the commands that ask a service. */
export function addClientCommands(program: Command, process: NodeJS.Process): void {
  /** Adds to a command what each of them has, then its examples, and what it does. */
  const asks = (
    command: Command,
    examples: readonly string[],
    work: (session: Session, ...given: string[]) => Promise<number>,
    explanation = '',
  ) => {
    command
      .option('--url <url>', 'where the service is; stands before DEALWRIGHT_URL')
      .option(
        '--token-file <path>',
        'a file that holds the API token; stands before DEALWRIGHT_TOKEN',
      )
      .option('--timeout <seconds>', 'how long an attempt may take (default 30, of an upload 300)')
      .option('--attempts <number>', 'how often to send what is safe to send again (default 3)')
      .addOption(
        choice('--lang <language>', 'language of messages and of categories', ['en', 'pl']),
      )
      .option('--json', 'print data as JSON, and errors as JSON on stderr')
      .option('--quiet', 'show no progress')
      .addHelpText('after', environment)
      .action(async () => {
        process.exitCode = await withSession(process, command.opts(), (session) =>
          work(session, ...command.args),
        );
      });
    const lines = examples.map((each) => `  $ ${each}\n`);
    if (lines.length > 0) {
      command.addHelpText('after', `${explanation}\nExamples:\n${lines.join('')}`);
    }
  };

  const contractors = program.command('contractors').description('register contractors');
  asks(
    bodyFlags(contractors.command('create').description('register a contractor'), contractorFields),
    [
      'dealwright contractors create --file contractor.json',
      'dealwright contractors create --file contractor.json --email jan@example.com',
    ],
    (session) => create(session, 'contractor'),
  );

  const deals = program.command('deals').description('create, show and list deals');
  asks(
    bodyFlags(
      deals
        .command('create')
        .description('create a deal')
        .addOption(
          choice('--api-version <version>', 'of the interface', ['1.0', '2.0']).default('2.0'),
        ),
      { ...dealV2Fields, ...dealFields },
    ),
    [
      'dealwright deals create --file deal.json --partner-id order-2',
      'echo "$DEAL" | dealwright deals create --api-version 1.0 --file -',
    ],
    createDeal,
  );
  asks(
    deals
      .command('get')
      .argument('[partner-id]', 'your own id of the deal')
      .description('show a deal; the payment token of a deal of version 2.0 is shown too')
      .option('--id <number>', 'the number of a deal of version 1.0: shows its stages and files'),
    ['dealwright deals get order-2', 'dealwright deals get --id 1 --json'],
    getDeal,
  );
  asks(
    fieldFlags(
      deals
        .command('list')
        .description('list deals, newest first')
        .option('--all', 'walk all pages; with --json a line for each deal')
        .option('--page-size <number>', '1 to 100 (default 20; 100 with --all)'),
      dealListFields,
    ),
    [
      'dealwright deals list --status created --created-from 2026-01-01T00:00:00Z',
      'dealwright deals list --all --json > deals.ndjson',
    ],
    listDeals,
  );

  const categories = program.command('categories');
  asks(
    categories.description('show the categories of deals with their subcategories'),
    [],
    listCategories,
  );

  const files = program.command('files').description('upload work files');
  asks(
    files
      .command('upload')
      .argument('<deal-id>', 'the number of a deal of version 1.0')
      .argument('<path>', 'the file; - is stdin, with --name')
      .description('upload a file for a deal of version 1.0')
      .option('--stage-id <number>', 'may be left out where the deal has one stage')
      .option('--name <text>', 'another name than that of the file')
      .option('--content-type <type>', 'media type')
      .option('--idempotency-key <key>', 'makes a repeat safe; one is made for each run'),
    [
      'dealwright files upload 1 draft.pdf --content-type application/pdf',
      'make-report | dealwright files upload 1 - --name report.txt',
    ],
    uploadFile,
  );

  asks(
    program
      .command('import')
      .argument('<file>', 'lines of JSON; - is stdin')
      .description('create contractors and deals in bulk; run again, it makes nothing twice')
      .option('--concurrency <number>', 'requests at a time, 1 to 64 (default 8)')
      .option('--report <path>', 'write every line that was refused or failed to this file')
      .option('--skip-existing', 'what somebody else made before is no refusal'),
    [
      'dealwright import deals.ndjson --report refused.ndjson',
      'zcat deals.ndjson.gz | dealwright import - --concurrency 32',
    ],
    importFile,
    `
Each line is one of
  {"contractor": {...}}  {"deal": {...}} (version 1.0)  {"deal_v2": {...}} (version 2.0)
and a contractor stands before its deals.
`,
  );
}

/** Adds the flags of a command that creates. */
function bodyFlags(command: Command, fields: Fields): Command {
  return fieldFlags(command, fields)
    .option('--file <path>', 'a JSON object with the fields; - is stdin; flags stand before it')
    .option('--idempotency-key <key>', 'makes a repeat safe; one is made for each run');
}

/** Adds a flag for each field. */
function fieldFlags(command: Command, fields: Fields): Command {
  for (const [name, { help, integer = false, takes, choices }] of Object.entries(fields)) {
    const value = takes ?? (integer ? 'number' : 'text');
    command.addOption(choice(`${flagOf(name)} <${value}>`, help, choices));
  }
  return command;
}

function choice(flags: string, help: string, choices?: readonly string[]): Option {
  const option = new Option(flags, help);
  return choices === undefined ? option : option.choices(choices);
}
