import { Option } from 'commander';
import {
  contractorFields,
  dealFields,
  dealListFields,
  dealV2Fields,
  type Fields,
  type Flags,
  flagOf,
} from './fields.js';
import { importFile } from './import-command.js';
import { getDeal, listCategories, listDeals } from './read-commands.js';
import { type Session, withSession } from './session.js';
import { create, createDeal, uploadFile } from './write-commands.js';

/** Does the work of a command, and answers the exit code. */
type Run = (process: NodeJS.Process, flags: Flags, ...given: string[]) => Promise<number>;

export interface CommandRow {
  readonly description: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  readonly help?: string;
  /** Whether it asks a service. */
  readonly asks?: true;
  readonly run: Run;
}

/** Runs what asks a service. */
const asking = (work: (session: Session, ...given: string[]) => Promise<number>) => ({
  asks: true as const,
  run: ((process, flags, ...given) =>
    withSession(process, flags, (session) => work(session, ...given))) satisfies Run,
});

const option = (flags: string, help: string, choices?: readonly string[]) =>
  choices === undefined ? new Option(flags, help) : new Option(flags, help).choices(choices);

const fieldOptions = (fields: Fields) =>
  Object.entries(fields).map(([name, { help, integer = false, takes, choices }]) =>
    option(`${flagOf(name)} <${takes ?? (integer ? 'number' : 'text')}>`, help, choices),
  );

const keyOption = option(
  '--idempotency-key <key>',
  'makes a repeat safe; one is made for each run',
);

/** The flags of a command that creates. */
const bodyOptions = (fields: Fields) => [
  ...fieldOptions(fields),
  option('--file <path>', 'a JSON object with the fields; - is stdin; flags stand before it'),
  keyOption,
];

export const clientOptions = [
  option('--url <url>', 'where the service is; stands before DEALWRIGHT_URL'),
  option('--token-file <path>', 'a file that holds the API token; stands before DEALWRIGHT_TOKEN'),
  option('--timeout <seconds>', 'how long an attempt may take (default 30, of an upload 300)'),
  option('--attempts <number>', 'how often to send what is safe to send again (default 3)'),
  option('--lang <language>', 'language of messages and of categories', ['en', 'pl']),
  option('--json', 'print data as JSON, and errors as JSON on stderr'),
  option('--quiet', 'show no progress'),
];

export const clientHelp = `
Environment:
  DEALWRIGHT_URL    where the service is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 unknown token, 130 interrupted
`;

const examples = (...lines: readonly string[]) =>
  `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((each) => `  $ ${each}\n`).join('')}`;

/** What the commands that open a store read. */
const storeEnvironment = `
  DATABASE_URL       keeps deals in PostgreSQL: postgres://user:password@host:5432/database
  DEALWRIGHT_DATA    the folder for work files and, without DATABASE_URL, for the database
                     of deals (default .dealwright); it is made, for this user alone
`;
const storeHelp = `\nEnvironment:${storeEnvironment}`;

export const serveHelp = `
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
  DEALWRIGHT_OPERATOR_TOKENS  the tokens of your staff, <token>=<environment>, comma-separated;
                     without it there is nothing below /operator/
  DEALWRIGHT_MODE    when an employer pays: invoice (default), after the work is approved, or
                     prepaid, before it is delivered
  DEALWRIGHT_ENVIRONMENT  both (default), sandbox or production: the tokens of the other
                     environment are unknown here
  DEALWRIGHT_DEPRECATED_SINCE  a date such as 2027-01-31: version 1.0 says that it is deprecated
  DEALWRIGHT_SUNSET  the date from which version 1.0 may be gone${storeEnvironment}${examples(
    'dealwright serve',
    'PORT=0 dealwright serve --memory',
    "DEALWRIGHT_TOKENS='s3cret=sandbox:acme,pr0d=production:acme' dealwright serve",
  )}`;

/** The commands that have commands. */
export const groups: Readonly<Record<string, string>> = {
  contractors: 'register contractors',
  deals: 'create, show and list deals',
  files: 'upload work files',
};

/** The commands by their names. Those of a store load what they need, so that the others start soon. */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: {
    description: 'serve the deals interface over HTTP until SIGTERM or SIGINT',
    options: [
      option('--port <number>', 'stands before PORT'),
      option('--host <address>', 'stands before HOST'),
      option('--memory', 'keep everything in memory, for trying out: it is gone when it stops'),
      option('--no-migrate', 'leave the schema of the database as it is'),
    ],
    help: serveHelp,
    run: async (process, flags) => (await import('./serve.js')).serve(process, flags),
  },
  'contractors create': {
    description: 'register a contractor',
    options: bodyOptions(contractorFields),
    help: examples(
      'dealwright contractors create --file contractor.json',
      'dealwright contractors create --file contractor.json --email jan@example.com',
    ),
    ...asking((session) => create(session, 'contractor')),
  },
  'deals create': {
    description: 'create a deal',
    options: [
      option('--api-version <version>', 'of the interface', ['1.0', '2.0']).default('2.0'),
      ...bodyOptions({ ...dealV2Fields, ...dealFields }),
    ],
    help: examples(
      'dealwright deals create --file deal.json --partner-id order-2',
      'echo "$DEAL" | dealwright deals create --api-version 1.0 --file -',
    ),
    ...asking(createDeal),
  },
  'deals get': {
    description: 'show a deal; the payment token of a deal of version 2.0 is shown too',
    arguments: { '[partner-id]': 'your own id of the deal' },
    options: [
      option('--id <number>', 'the number of a deal of version 1.0: shows its stages and files'),
    ],
    help: examples('dealwright deals get order-2', 'dealwright deals get --id 1 --json'),
    ...asking(getDeal),
  },
  'deals list': {
    description: 'list deals, newest first',
    options: [
      option('--all', 'walk all pages; with --json a line for each deal'),
      option('--page-size <number>', '1 to 100 (default 20; 100 with --all)'),
      ...fieldOptions(dealListFields),
    ],
    help: examples(
      'dealwright deals list --status created --created-from 2026-01-01T00:00:00Z',
      'dealwright deals list --all --json > deals.ndjson',
    ),
    ...asking(listDeals),
  },
  categories: {
    description: 'show the categories of deals with their subcategories',
    ...asking(listCategories),
  },
  'files upload': {
    description: 'upload a file for a deal of version 1.0',
    arguments: {
      '<deal-id>': 'the number of a deal of version 1.0',
      '<path>': 'the file; - is stdin, with --name',
    },
    options: [
      option('--stage-id <number>', 'may be left out where the deal has one stage'),
      option('--name <text>', 'another name than that of the file'),
      option('--content-type <type>', 'media type'),
      keyOption,
    ],
    help: examples(
      'dealwright files upload 1 draft.pdf --content-type application/pdf',
      'make-report | dealwright files upload 1 - --name report.txt',
    ),
    ...asking(uploadFile),
  },
  import: {
    description: 'create contractors and deals in bulk; run again, it makes nothing twice',
    arguments: { '<file>': 'lines of JSON; - is stdin' },
    options: [
      option('--concurrency <number>', 'requests at a time, 1 to 64 (default 8)'),
      option('--report <path>', 'write every line that was refused or failed to this file'),
      option('--skip-existing', 'what somebody else made before is no refusal'),
    ],
    help: `
Each line is one of
  {"contractor": {...}}  {"deal": {...}} (version 1.0)  {"deal_v2": {...}} (version 2.0)
and a contractor stands before its deals.
${examples(
  'dealwright import deals.ndjson --report refused.ndjson',
  'zcat deals.ndjson.gz | dealwright import - --concurrency 32',
)}`,
    ...asking(importFile),
  },
  lifecycle: {
    description: 'show the life of a deal: its states, and who may give which command',
    options: [
      option('--diagram', 'print the states as diagrams of Mermaid'),
      option('--json', 'print data as JSON'),
    ],
    help: examples('dealwright lifecycle', 'dealwright lifecycle --diagram > life.mmd'),
    run: async (process, flags) =>
      (await import('./lifecycle-command.js')).showLifecycle(process, flags),
  },
  migrate: {
    description: 'bring the database to the schema of this version; serve does it by itself',
    options: [
      option('--print', 'print the SQL of all steps, and touch nothing'),
      option('--distribute', 'distribute the tables over a cluster of Citus by tenant, once'),
    ],
    help: storeHelp,
    run: async (process, flags) =>
      (await import('./store/migrate-command.js')).migrate(process, flags),
  },
  dump: {
    description: 'write everything that a store holds as lines of JSON: a backup, or to move on',
    options: [
      option(
        '--out <file>',
        'a file, which is there once all of it is; without it, or as -, stdout',
      ),
      option('--without-files', 'leave the contents of work files out'),
      option('--quiet', 'show no progress'),
    ],
    help: `${storeHelp}
A service may go on meanwhile: the dump is of one moment. What is in it is personal and secret.
${examples('dealwright dump --out deals.ndjson', 'dealwright dump | gzip > deals.ndjson.gz')}`,
    run: async (process, flags) => (await import('./store/dump-command.js')).dump(process, flags),
  },
  restore: {
    description: 'read everything into an empty store: all of it, or nothing',
    arguments: { '<file>': 'what dump wrote; - is stdin' },
    options: [
      option('--without-files', 'pass over the contents of work files'),
      option('--quiet', 'show no progress'),
    ],
    help: `${storeHelp}${examples(
      'DEALWRIGHT_DATA=other dealwright restore deals.ndjson',
      'dealwright dump | DATABASE_URL=postgres://127.0.0.1/deals dealwright restore -',
    )}`,
    run: async (process, flags, path) =>
      (await import('./store/restore-command.js')).restore(process, flags, path),
  },
  sweep: {
    description: 'remove what uploads left behind when they were killed; serve does it daily',
    options: [option('--min-age <hours>', 'how old it is at least, 2 to 8760 (default 24)')],
    help: `${storeHelp}  DEALWRIGHT_TOKENS  the API tokens of serve: the files of their partners are swept
${examples('dealwright sweep --min-age 48')}`,
    run: async (process, flags) => (await import('./sweep.js')).sweepOnce(process, flags),
  },
};
