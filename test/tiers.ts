// The tier of each file: globs below `test`. A file in none of these lists is quick.

/** `npm run test:long` runs more of everything, with random seeds. */
export const isLong = process.env['DEALWRIGHT_TIER'] === 'long';

/** How many of something: the number in a variable, or fewer than in a long run. */
export const countOf = (variable: string, usual: number, long: number) =>
  Number(process.env[variable] ?? (isLong ? long : usual));

/**
 * Tests that start a process, listen, or take long by themselves. `kit/no-services.ts` keeps the
 * quick tests from doing so.
 */
export const services = [
  '{bench,cli,examples,faults,fuzz,hosts,package}/**/*',
  'adapters/{http-store,postgres,reference,webhooks}/**/*',
  'adapters/kept-data',
  'adapters/client/{closing-slash,retries-reported,transport,unread-contents,uploads}',
  'adapters/files/{folder-process,s3-failures,s3-service}',
  'adapters/gateway/{failures,uploads}',
  'adapters/host/{prune,wrong-store}',
  'adapters/mail/smtp',
  'money/{attempts,ends,paid-twice,surplus,units}',
  'adapters/http/{downloads,downloads-content,middleware,node-neighbours,node-wrappers,node,parsed-bodies,paths}',
  'adapters/key-value/{level-store,redis-store}',
  'adapters/openapi/{examples,responses}',
  'adapters/sqlite/{hammer,processes,stored-bytes,within}',
  'adapters/tokens/{issuer-contract,issuers-in-a-marketplace,remote-*}',
  'checks/{core-types,dependency-rules,snippets}',
  'contract/{cases,gateway,partner-api}',
  'docs/{add-a-*,api-tokens,examples,first-payout,map,payment-provider,readme-programs}',
  'due/clock-back',
  'docs/{nginx,receive-webhooks,requests,your-transaction*}',
  'faces/{fair,refused-records}',
  'kit/{postgres,tools}',
  'life/worlds*',
  'pages/{console-main,create-pages,offer-main,portal-main,whose-drafts}',
  'races/postgres',
  'strict/bundle',
  'types/**/*',
  'verify/{false-alarms,memory,mutants,options,strangers,webhooks}',
];

/** Tests with other runtimes, generators, checkers and test runners, or of chance: only in a long run. */
export const long = [
  'adapters/{client,sqlite}/runtimes',
  'adapters/openapi/{generated-client,lint}',
  'package/{are-the-types-wrong,commonjs}',
  'pages/{console-commands,console-lists,console-reports,console-ways,console-webhooks}',
  'pages/{offer-changes,offer-history,offer-states,offer-uploads,offer-ways}',
  'pages/{portal-commands,portal-failures,portal-input,portal-lists,portal-money,portal-ways}',
  'pages/api-tokens',
  'verify/chance',
];

/**
 * Tests that measure time, memory or the timers that are left: with others beside them, they would
 * measure those.
 */
export const alone = [
  'adapters/postgres/timeouts',
  'adapters/http/{node-memory,node-slow,node-uploads,uploads-memory,uploads-node}',
  'adapters/system/**/*',
  'cli/upload',
];

/** The slowest tests, in the order of their start. */
export const longest = [
  'verify/webhooks',
  'cli/drain',
  'verify/memory',
  'verify/strangers',
  'adapters/postgres/archive',
  'faults/sqlite',
  'fuzz/fuzz',
  'cli/serve',
  'hosts/matrix',
  'bench/contenders',
  'adapters/sqlite/stored-bytes',
  'adapters/reference/browser',
  'life/worlds',
  'faults/mail',
  'faults/postgres',
  'cli/verify',
  'adapters/postgres/server',
  'package/tarball',
  'adapters/postgres/pglite',
  'adapters/http-store/contract',
  'checks/snippets',
];
