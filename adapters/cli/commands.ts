import {
  asking,
  bodyOptions,
  type CommandRow,
  examples,
  fieldOptions,
  option,
} from './command-row.js';
import { create, createDeal, getDeal, listCategories, listDeals } from './deal-commands.js';
import { eventCommands } from './event-commands.js';
import { contractorFields, dealFields, dealListFields, dealV2Fields } from './fields.js';
import {
  downloadOptions,
  saveFile,
  showFiles,
  uploadFile,
  uploadOptions,
} from './file-commands.js';
import { serveHelp, storeHelp } from './help.js';
import { importFile } from './import-command.js';
import { storeKinds } from './init/templates.js';
import { dealCommands, paymentCommands } from './life-commands.js';
import { offerCommands } from './offer-commands.js';
import { operatorCommands } from './operator-commands.js';
import { promisesCommands } from './promises-commands.js';
import { dealTermsCommands, offerTermsCommands } from './proposal-commands.js';
import { sandboxCommands } from './sandbox-commands.js';
import { tokenCommands } from './token-commands.js';
import { webhookCommands } from './webhook-commands.js';

/** The commands with subcommands. */
export const groups: Readonly<Record<string, string>> = {
  contractors: 'register contractors',
  deals: 'create, show and list deals, and give them commands',
  files: 'upload, list and download work files; whose they are, and their trash',
  payments: 'report payments and ask for them: for operators',
  operator: 'what needs the operator, and the deals of all partners',
  offer: "the freelancer's side of one deal, by its payment token",
  sandbox: 'give the commands of every actor, and move time: in the sandbox alone',
  events: 'what has happened',
  webhooks: 'webhooks that events are posted to',
  tokens: 'the API tokens of a partner',
  mail: 'what people are told by mail',
};

/**
 * The commands by their names. Those of a store load their modules when they run, so that the
 * others start fast.
 */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: {
    description: 'serve the deals interface over HTTP until SIGTERM or SIGINT',
    options: [
      option('--port <number>', 'takes precedence over PORT'),
      option('--host <address>', 'takes precedence over HOST'),
      option('--memory', 'keep everything in memory, for trying out: it is gone when it stops'),
      option('--no-migrate', 'leave the schema of the database as it is'),
    ],
    help: serveHelp,
    run: async (process, flags) => (await import('./serve.js')).serve(process, flags),
  },
  init: {
    description: 'write a small project that mounts the interface in a web framework',
    arguments: {
      '[host]': 'the framework; without it the frameworks are listed',
      '[folder]': 'a new or an empty folder; the working directory, where it is left out',
    },
    options: [
      option('--store <kind>', 'where the project keeps deals', storeKinds).default('sqlite'),
      option(
        '--package <spec>',
        'the dealwright that it depends on: a version, a path or an address',
      ),
    ],
    help: examples(
      'dealwright init',
      'dealwright init express my-deals',
      'dealwright init hono my-deals --store postgres',
    ),
    run: async (process, flags, host, folder) =>
      (await import('./init/init-command.js')).init(process, flags, host, folder),
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
  ...dealCommands,
  ...operatorCommands,
  ...dealTermsCommands,
  ...paymentCommands,
  ...offerCommands,
  ...offerTermsCommands,
  ...sandboxCommands,
  ...eventCommands,
  ...webhookCommands,
  ...tokenCommands,
  ...promisesCommands,
  categories: {
    description: 'show the categories of deals with their subcategories',
    ...asking(listCategories),
  },
  'files upload': {
    description: 'upload a file for a deal',
    arguments: {
      '<deal-id>': 'the number of a deal of version 1.0; your own id with --by-partner-id',
      '<path>': 'the file; - is stdin, with --name',
    },
    options: [
      option('--by-partner-id', 'the deal is named by your own id, and is of either version'),
      ...uploadOptions,
    ],
    help: examples(
      'dealwright files upload 1 draft.pdf --content-type application/pdf',
      'dealwright files upload order-2 draft.pdf --by-partner-id',
      'make-report | dealwright files upload 1 - --name report.txt',
    ),
    ...asking(uploadFile),
  },
  'files list': {
    description: 'list the files of a deal',
    arguments: { '<partner-id>': 'your own id of the deal' },
    ...asking((session, partnerId = '') =>
      showFiles(session, session.api.listWorkFiles(partnerId, session.call)),
    ),
  },
  'files download': {
    description: 'download a file of a deal; nothing is overwritten',
    arguments: {
      '<partner-id>': 'your own id of the deal',
      '<file-id>': 'the id of the file, as files list shows it',
    },
    options: downloadOptions,
    help: examples(
      'dealwright files download order-2 01KDVE00000000000000000000 --out draft.pdf',
      'dealwright files download order-2 01KDVE00000000000000000000 | wc -c',
    ),
    ...asking((session, partnerId = '', fileId = '') =>
      saveFile(session, () => session.api.downloadWorkFile(partnerId, fileId, session.call)),
    ),
  },
  'files adopt': {
    description: 'give the work files of a folder to the database that is set',
    help: `${storeHelp}
serve and sweep refuse a folder that belongs to another database.
${examples('DEALWRIGHT_DATA=deals dealwright files adopt')}`,
    run: async (process) => (await import('./store/work-files.js')).adoptFiles(process),
  },
  'files trash': {
    description: 'show what sweeps have put into the trash, which keeps it for 30 days',
    options: [
      option('--restore', 'bring all of it back'),
      option('--empty', 'delete all of it for good'),
    ],
    help: `${storeHelp}
A sweep itself brings back what a work file names.
${examples('dealwright files trash', 'dealwright files trash --restore')}`,
    run: async (process, flags) =>
      (await import('./store/work-files.js')).fileTrash(process, flags),
  },
  import: {
    description: 'create contractors and deals in bulk; safe to run again',
    arguments: { '<file>': 'lines of JSON; - is stdin' },
    options: [
      option('--concurrency <number>', 'requests at a time, 1 to 64 (default 8)'),
      option('--report <path>', 'write every line that was refused or failed to this file'),
      option('--skip-existing', 'a deal or contractor that is there already is no refusal'),
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
  verify: {
    description: 'judge a server of the interface, in any language, by the laws of this version',
    arguments: {
      '[base-url]': 'where the server is, with the path before /api/',
      '[law...]': 'ids of laws, or their beginnings: only those are judged',
    },
    options: [
      option(
        '--token <token>',
        'the API token of a partner; takes precedence over DEALWRIGHT_TOKEN',
      ),
      option('--other-token <token>', 'the token of a second partner, to judge isolation'),
      option('--operator-token <token>', 'takes precedence over DEALWRIGHT_OPERATOR_TOKEN'),
      option('--partner <name>', 'the name of the partner, which the paths of operators have'),
      option('--sandbox', 'the tokens are of a sandbox, even if the server does not show it'),
      option('--production', 'the tokens are of production: what is made there stays'),
      option(
        '--profile <names>',
        'of v1,v2,files,lists,idempotency,life,terms,events,webhooks,sandbox,operator,promises (default: what /openapi.json promises)',
      ),
      option(
        '--promises <json>',
        'what the server promises and does not tell: as {"mode":"prepaid","takes_fees":true}',
      ),
      option('--receiver <url>', 'the URL by which the server reaches the receiver of webhooks'),
      option('--receiver-port <number>', 'where that receiver listens (default a free port)'),
      option('--subcategory <number>', 'a subcategory of the server (default its first)'),
      option('--seed <number>', 'of the random cases: repeats those of another run'),
      option('--runs <number>', 'how often a random case runs at least (default 25)'),
      option('--timeout <seconds>', 'how long an answer may take (default 10)'),
      option('--rate <number>', 'requests a second at most (default 1000)'),
      option('--baseline <file>', 'ids of laws that are known to fail, one on a line'),
      option('--reporter <name>', 'the form of the report', [
        'text',
        'tap',
        'junit',
        'json',
        'html',
      ]).default('text'),
      option('--output <file>', 'where the report goes (default stdout)'),
      option('--list', 'print the laws, and send nothing'),
    ],
    help: `
Exit codes: 0 every MUST passed, 1 a MUST failed or a law of the baseline passed, 2 wrong usage or
no server, 3 nothing was judged
${examples(
  'dealwright verify http://127.0.0.1:8787 --token sandbox-token',
  'dealwright verify http://127.0.0.1:8787 2.7 --token sandbox-token --seed 42',
  'dealwright verify --list',
)}`,
    run: async (process, flags, baseUrl, ...laws) =>
      (await import('./verify-command.js')).verifyServer(process, flags, baseUrl, laws),
  },
  lifecycle: {
    description: 'show the life of a deal: its states, and who may give which command',
    options: [
      option('--diagram', 'print the states as diagrams of Mermaid, in Markdown'),
      option('--json', 'print data as JSON'),
    ],
    help: examples('dealwright lifecycle', 'dealwright lifecycle --diagram > life.md'),
    run: async (process, flags) =>
      (await import('./life-commands.js')).showLifecycle(process, flags),
  },
  'mail preview': {
    description: 'print every message in both languages, with sample data; nothing is sent',
    options: [option('--html <folder>', 'write each message there as HTML, a file each')],
    help: examples('dealwright mail preview', 'dealwright mail preview --html messages'),
    run: async (process, flags) => (await import('./mail-command.js')).previewMail(process, flags),
  },
  migrate: {
    description: 'bring the database to the schema of this version; serve does it by itself',
    options: [
      option('--print', 'print the SQL of all steps, and touch nothing'),
      option('--distribute', 'distribute the tables over a cluster of Citus by tenant, once'),
      option(
        '--prune',
        'once no process of another version is left: drop their functions, and fill in what they left out',
      ),
    ],
    help: storeHelp,
    run: async (process, flags) =>
      (await import('./store/migrate-command.js')).migrate(process, flags),
  },
  dump: {
    description:
      'write everything that a store holds as lines of JSON: for a backup, or to move to another store',
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
  prune: {
    description:
      'delete what has ended: old idempotency keys, deleted webhooks; serve does it hourly',
    help: `${storeHelp}${examples('dealwright prune')}`,
    run: async (process) => (await import('./upkeep-commands.js')).prune(process),
  },
  sweep: {
    description: 'move what killed uploads left behind to the trash; serve does it daily',
    options: [option('--min-age <hours>', 'how old it is at least, 2 to 8760 (default 24)')],
    help: `${storeHelp}  DEALWRIGHT_TOKENS  the API tokens of serve: the files of their partners are swept
${examples('dealwright sweep --min-age 48')}`,
    run: async (process, flags) => (await import('./upkeep-commands.js')).sweepOnce(process, flags),
  },
};
