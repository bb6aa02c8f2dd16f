import type { MarketplaceOptions } from 'dealwright';
import { err, ok, Result } from 'neverthrow';
import { type ApiToken, parseApiTokens } from './api-tokens.js';
import { printable } from './printable.js';
import { parsePlace, type StorePlace } from './store/place.js';

/** What `dealwright serve` runs with. */
export interface Settings {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Absent: the service creates a token for the sandbox. */
  readonly tokens: readonly ApiToken[] | undefined;
  readonly place: StorePlace;
  readonly contractorScope: NonNullable<MarketplaceOptions['contractorScope']>;
  readonly profile: 'interface' | 'strict';
}

/** The flags of `dealwright serve`; each takes precedence over its environment variable. */
export interface Flags {
  readonly host?: string;
  readonly port?: string;
  readonly memory?: true;
  readonly migrate?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings, or says of each bad one its name, what is wrong and what is allowed. No
 * message repeats a token.
 */
export function parseSettings(
  environment: Environment,
  flags: Flags = {},
): Result<Settings, readonly string[]> {
  const place: Result<StorePlace, string> =
    flags.memory === true ? ok({ kind: 'memory' }) : parsePlace(environment);
  return Result.combineWithAllErrors([
    parsePort(flags.port === undefined ? 'PORT' : '--port', flags.port ?? environment['PORT']),
    parseHost(flags.host === undefined ? 'HOST' : '--host', flags.host ?? environment['HOST']),
    parseApiTokens(environment['DEALWRIGHT_TOKENS']),
    place,
    parseChoice(environment, 'DEALWRIGHT_CONTRACTOR_SCOPE', ['environment', 'partner']),
    parseChoice(environment, 'DEALWRIGHT_PROFILE', ['interface', 'strict']),
  ])
    .map(([port, host, tokens, kept, contractorScope, profile]) => ({
      port,
      host,
      tokens,
      place: kept,
      contractorScope,
      profile,
    }))
    .mapErr((problems) => problems.flat());
}

const known = [
  'DEALWRIGHT_URL',
  'DEALWRIGHT_TOKEN',
  'DEALWRIGHT_TOKENS',
  'DEALWRIGHT_DATA',
  'DEALWRIGHT_CONTRACTOR_SCOPE',
  'DEALWRIGHT_PROFILE',
];

/** The warnings about variables that look like ours and are not. No value is repeated. */
export function unknownSettings(environment: Environment): readonly string[] {
  return (
    Object.keys(environment)
      // Kubernetes sets others for a service of this name
      .filter((name) => /^DEALWRIGHT_(?!SERVICE_|PORT)/.test(name) && !known.includes(name))
      .map((name) => `there is no setting ${printable(name)}: it is ignored (${known.join(', ')})`)
  );
}

/** One warning for each environment whose partners share their contractors (decision 2.3). */
export function sharedContractors(
  { contractorScope }: Pick<Settings, 'contractorScope'>,
  tokens: readonly ApiToken[],
): readonly string[] {
  if (contractorScope === 'partner') return [];
  return ['production', 'sandbox'].flatMap((environment) => {
    const partners = new Set(
      tokens.flatMap(({ tenant }) => (tenant.environment === environment ? [tenant.partner] : [])),
    );
    if (partners.size < 2) return [];
    return `the ${partners.size} partners in ${environment} share their contractors: the first to register an e-mail address supplies its bank account for all of them; DEALWRIGHT_CONTRACTOR_SCOPE=partner keeps them apart`;
  });
}

function parseChoice<const Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly [Choice, Choice],
): Result<Choice, string> {
  const text = environment[name] ?? choices[0];
  const choice = choices.find((each) => each === text);
  return choice === undefined
    ? err(`${name} is ${quoted(text)}: set it to ${choices.join(' or ')} (default ${choices[0]})`)
    : ok(choice);
}

function parsePort(name: string, text = '8787'): Result<number, string> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return ok(port);
  return err(
    `${name} is ${quoted(text)}, which is not a port: give a whole number from 0 to 65535, where 0 takes any free port`,
  );
}

function parseHost(name: string, text = '127.0.0.1'): Result<string, string> {
  if (/^[A-Za-z0-9._:%-]{1,255}$/.test(text)) return ok(text);
  return err(
    `${name} is ${quoted(text)}, which is not a host: give an address or a name to listen on, such as 127.0.0.1, 0.0.0.0, :: or localhost`,
  );
}

const longest = 60;

/** A value as it was given, shortened, and without a character that a terminal would obey. */
function quoted(text: string): string {
  if (text === '') return 'empty';
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}...` : text);
}
