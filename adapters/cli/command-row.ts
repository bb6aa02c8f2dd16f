import { Option } from 'commander';
import { type Fields, type Flags, flagOf } from './fields.js';
import { type Session, withSession } from './session.js';
import { parseNumber, type TokenName, tokens } from './settings.js';

/** Does the work of a command, and returns the exit code. */
type Run = (process: NodeJS.Process, flags: Flags, ...given: string[]) => Promise<number>;

export interface CommandRow {
  readonly description: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  readonly help?: string;
  /** The token that it sends to a service. */
  readonly asks?: TokenName;
  readonly run: Run;
}

/** Runs a command that calls a service. */
export const asking = (
  work: (session: Session, ...given: string[]) => Promise<number>,
  asks: TokenName = 'DEALWRIGHT_TOKEN',
) => ({
  asks,
  run: ((process, flags, ...given) =>
    withSession(process, flags, asks, (session) => work(session, ...given))) satisfies Run,
});

export const option = (flags: string, help: string, choices?: readonly string[]) =>
  choices === undefined ? new Option(flags, help) : new Option(flags, help).choices(choices);

export const sizeOption = option('--page-size <number>', '1 to 100 (default 20)');

/** The options of a list that has pages and no filters. */
export const pageOptions: readonly Option[] = [
  sizeOption,
  option('--cursor <text>', 'where a page goes on, as the one before says'),
];

/** The wanted page of such a list; `many` is what it lists. */
export const pageOf = ({ pageSize, cursor }: Flags, many: string) =>
  parseNumber('--page-size', pageSize, 1, 100, many).map((page_size) => ({
    ...(page_size !== undefined && { page_size }),
    ...(cursor !== undefined && { cursor }),
  }));

export const fieldOptions = (fields: Fields) =>
  Object.entries(fields).map(([name, { help, integer = false, takes, choices }]) =>
    option(`${flagOf(name)} <${takes ?? (integer ? 'number' : 'text')}>`, help, choices),
  );

export const keyOption = option(
  '--idempotency-key <key>',
  'makes a repeat safe; one is made for each run',
);

/** The flags of a command that creates. */
export const bodyOptions = (fields: Fields) => [
  ...fieldOptions(fields),
  option('--file <path>', 'a JSON object with the fields; - is stdin; flags stand before it'),
  keyOption,
];

/** The flags of every command that calls a service. */
export const clientOptions = (token: TokenName) => [
  option('--url <url>', 'where the service is; takes precedence over DEALWRIGHT_URL'),
  option('--token-file <path>', `a file that holds the token; takes precedence over ${token}`),
  option('--timeout <seconds>', 'how long an attempt may take (default 30, of an upload 300)'),
  option('--attempts <number>', 'how often to send what is safe to send again (default 3)'),
  option('--lang <language>', 'language of messages and of categories', ['en', 'pl']),
  option('--json', 'print data as JSON, and errors as JSON on stderr'),
  option('--quiet', 'show no progress'),
];

export const clientHelp = (token: TokenName) => `
Environment:
  DEALWRIGHT_URL    where the service is (default http://127.0.0.1:8787)
  ${token}  the ${tokens[token]}

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 unknown token, 130 interrupted
`;

export const examples = (...lines: readonly string[]) =>
  `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((each) => `  $ ${each}\n`).join('')}`;
