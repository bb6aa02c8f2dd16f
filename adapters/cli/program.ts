import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { type CreateFlags, createContractor, createDeal } from './create-commands.js';
import { usageExit } from './exit-codes.js';
import { contractorFields, dealFields, dealV2Fields } from './fields.js';
import { addFieldFlags, addServiceFlags } from './flags.js';
import { type ImportFlags, importFile } from './import-command.js';
import { getDeal, type ListFlags, listCategories, listDeals } from './read-commands.js';
import type { ServiceFlags } from './service-settings.js';
import { type Flags, unknownSettings } from './settings.js';
import { dealStatusNames, freelancerStatusNames } from './status-names.js';
import { addStoreCommands, storeEnvironment } from './store/store-commands.js';
import { type UploadFlags, uploadFile } from './upload-command.js';

const environmentHelp = `
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

const overview = `
The commands other than serve, migrate, dump, restore and sweep call a service:
  DEALWRIGHT_URL    where it is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token
${environmentHelp.replace('Environment:', 'Environment of serve:')}  $ DEALWRIGHT_TOKEN=s3cret dealwright deals list

Run dealwright <command> --help for its options.
`;

/** The command line. `parseAsync` answers when the work is done; the code is the process's. */
export function createProgram(process: NodeJS.Process): Command {
  const program = new Command('dealwright')
    .description('The freelance-deals back end: contractors and deals over HTTP.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'dealwright: ')),
    })
    .addHelpText('after', overview)
    .hook('preAction', (_, acted) => {
      if (acted.opts()['json'] !== true) tellUnknownSettings(process);
    });
  program
    .command('serve')
    .description('serve the deals interface over HTTP until SIGTERM or SIGINT')
    .option('--port <number>', 'stands before PORT')
    .option('--host <address>', 'stands before HOST')
    .option('--memory', 'keep everything in memory, for trying out: it is gone when it stops')
    .option('--no-migrate', 'leave the schema of the database as it is')
    .addHelpText('after', environmentHelp)
    .action(async (flags: Flags) => {
      // the commands that ask a service need none of what answers, and start sooner without it
      const { serve } = await import('./serve.js');
      process.exitCode = await serve(process, flags);
    });
  addContractors(program, process);
  addDeals(program, process);
  addServiceFlags(program.command('categories'))
    .description('show the categories of deals with their subcategories')
    .action((flags: ServiceFlags) => listCategories(process, flags));
  addFiles(program, process);
  addImport(program, process);
  addStoreCommands(program, process);
  pointToHelp(program, process);
  return program;
}

/** A setting whose name is mistyped would do nothing, and say nothing. */
function tellUnknownSettings(process: NodeJS.Process): void {
  for (const complaint of unknownSettings(process.env)) {
    process.stderr.write(`dealwright: ${complaint}\n`);
  }
}

/** A command that is given wrongly shows its own help. */
function pointToHelp(program: Command, process: NodeJS.Process): void {
  const point = (command: Command, path: string) => {
    const hint = `Run ${path} --help for what is there.`;
    command.showHelpAfterError(hint);
    command.hook('postAction', (_, acted) => {
      const isPlain = acted.opts()['json'] !== true;
      if (acted === command && process.exitCode === usageExit && isPlain) {
        process.stderr.write(`${hint}\n`);
      }
    });
    for (const each of command.commands) point(each, `${path} ${each.name()}`);
  };
  point(program, program.name());
}

function addContractors(program: Command, process: NodeJS.Process): void {
  const group = program.command('contractors').description('register contractors');
  const create = addFieldFlags(group.command('create'), contractorFields);
  addCreateFlags(create)
    .description('register a contractor')
    .addHelpText(
      'after',
      `
Examples:
  $ dealwright contractors create --file contractor.json
  $ dealwright contractors create --file contractor.json --email jan@example.com
`,
    )
    .action((flags: CreateFlags) => createContractor(process, flags));
}

function addDeals(program: Command, process: NodeJS.Process): void {
  const group = program.command('deals').description('create, show and list deals');
  const create = group
    .command('create')
    .addOption(
      new Option('--api-version <version>', 'of the interface')
        .choices(['1.0', '2.0'])
        .default('2.0'),
    );
  addCreateFlags(addFieldFlags(addFieldFlags(create, dealV2Fields), dealFields))
    .description('create a deal')
    .addHelpText(
      'after',
      `
Examples:
  $ dealwright deals create --file deal.json --partner-id order-2
  $ echo "$DEAL" | dealwright deals create --api-version 1.0 --file -
`,
    )
    .action((flags: CreateFlags) => createDeal(process, flags));
  addServiceFlags(group.command('get').argument('[partner-id]', 'your own id of the deal'))
    .description('show a deal; the payment token of a deal of version 2.0 is shown too')
    .option('--id <number>', 'the number of a deal of version 1.0: shows its stages and files')
    .addHelpText(
      'after',
      `
Examples:
  $ dealwright deals get order-2
  $ dealwright deals get --id 1 --json
`,
    )
    .action((partnerId: string | undefined, flags: ServiceFlags & { readonly id?: string }) =>
      getDeal(process, partnerId, flags),
    );
  addServiceFlags(
    group
      .command('list')
      .option('--all', 'walk all pages; with --json a line for each deal')
      .option('--page-size <number>', '1 to 100 (default 20; 100 with --all)')
      .option('--cursor <text>', 'where a page goes on, as the one before says')
      .option('--partner-id <text>', 'the deal with this partner_id')
      .addOption(new Option('--status <status>', 'status of the deal').choices(dealStatusNames))
      .addOption(
        new Option('--freelancer-status <status>', 'status of the freelancer').choices(
          freelancerStatusNames,
        ),
      )
      .option('--email-freelancer <text>', 'e-mail address of the freelancer')
      .option('--created-from <time>', 'RFC 3339, inclusive')
      .option('--created-to <time>', 'RFC 3339, exclusive'),
  )
    .description('list deals, newest first')
    .addHelpText(
      'after',
      `
Examples:
  $ dealwright deals list --status created --created-from 2026-01-01T00:00:00Z
  $ dealwright deals list --all --json > deals.ndjson
`,
    )
    .action((flags: ListFlags) => listDeals(process, flags));
}

function addFiles(program: Command, process: NodeJS.Process): void {
  const group = program.command('files').description('upload work files');
  addServiceFlags(
    group
      .command('upload')
      .argument('<deal-id>', 'the number of a deal of version 1.0')
      .argument('<path>', 'the file; - is stdin, with --name')
      .option('--stage-id <number>', 'may be left out where the deal has one stage')
      .option('--name <text>', 'another name than that of the file')
      .option('--content-type <type>', 'media type')
      .option('--idempotency-key <key>', 'makes a repeat safe; one is made for each run'),
  )
    .description('upload a file for a deal of version 1.0')
    .addHelpText(
      'after',
      `
Examples:
  $ dealwright files upload 1 draft.pdf --content-type application/pdf
  $ make-report | dealwright files upload 1 - --name report.txt
`,
    )
    .action((dealId: string, path: string, flags: UploadFlags) =>
      uploadFile(process, dealId, path, flags),
    );
}

function addImport(program: Command, process: NodeJS.Process): void {
  addServiceFlags(
    program
      .command('import')
      .argument('<file>', 'lines of JSON; - is stdin')
      .option('--concurrency <number>', 'requests at a time, 1 to 64 (default 8)')
      .option('--report <path>', 'write every line that was refused or failed to this file')
      .option('--skip-existing', 'what somebody else made before is no refusal'),
  )
    .description('create contractors and deals in bulk; run again, it makes nothing twice')
    .addHelpText(
      'after',
      `
Each line is one of
  {"contractor": {...}}  {"deal": {...}} (version 1.0)  {"deal_v2": {...}} (version 2.0)
and a contractor stands before its deals.

Examples:
  $ dealwright import deals.ndjson --report refused.ndjson
  $ zcat deals.ndjson.gz | dealwright import - --concurrency 32
`,
    )
    .action((path: string, flags: ImportFlags) => importFile(process, path, flags));
}

function addCreateFlags(command: Command): Command {
  return addServiceFlags(
    command
      .option('--file <path>', 'a JSON object with the fields; - is stdin; flags stand before it')
      .option('--idempotency-key <key>', 'makes a repeat safe; one is made for each run'),
  );
}

function version(): string {
  const read = createRequire(import.meta.url);
  const { version } = read('dealwright/package.json') as { readonly version: string };
  return version;
}
