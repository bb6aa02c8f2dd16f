import { type Command, Option } from 'commander';
import { type Fields, flagOf } from './fields.js';

/** Adds the flags of every command that asks a service. */
export function addServiceFlags(command: Command): Command {
  return command
    .option('--url <url>', 'where the service is; stands before DEALWRIGHT_URL')
    .option(
      '--token-file <path>',
      'a file that holds the API token; stands before DEALWRIGHT_TOKEN',
    )
    .option('--timeout <seconds>', 'how long an attempt may take (default 30, of an upload 300)')
    .option('--attempts <number>', 'how often to send what is safe to send again (default 3)')
    .addOption(
      new Option('--lang <language>', 'language of messages and of categories').choices([
        'en',
        'pl',
      ]),
    )
    .option('--json', 'print data as JSON, and errors as JSON on stderr')
    .option('--quiet', 'show no progress')
    .addHelpText('after', serviceHelp);
}

/** Adds a flag for every field, without one that is there already. */
export function addFieldFlags(command: Command, fields: Fields): Command {
  const there = new Set(command.options.map(({ long }) => long));
  for (const [name, { help, integer = false }] of Object.entries(fields)) {
    const flag = flagOf(name);
    if (!there.has(flag)) command.option(`${flag} <${integer ? 'number' : 'text'}>`, help);
  }
  return command;
}

const serviceHelp = `
Environment:
  DEALWRIGHT_URL    where the service is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 unknown token, 130 interrupted
`;
