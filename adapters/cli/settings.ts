import { readFileSync } from 'node:fs';
import type { Language } from 'dealwright';
import { isApiToken } from 'dealwright/auth';
import type { ClientOptions } from 'dealwright/client';
import type { Deprecation } from 'dealwright/http';
import { err, ok, Result } from 'neverthrow';
import { isLocalName, isLoopback } from '../shared/loopback.js';
import {
  type ApiToken,
  type OperatorToken,
  parseApiTokens,
  parseOperatorTokens,
  weakTokens,
} from './api-tokens.js';
import { parseFees, parseTolerance } from './fees.js';
import type { Flags } from './fields.js';
import { printable } from './output.js';
import { parsePages } from './pages.js';
import { fileProblem } from './problem.js';
import { parsePlace, type StorePlace } from './store/folder.js';
import { parseWebhookKeys } from './webhook-keys.js';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment of the interface. */
export type EnvironmentName = 'production' | 'sandbox';

/**
 * The settings of `serve`: port 0 is any free port, and without tokens it makes one for the
 * sandbox.
 */
export type Settings = Extract<ReturnType<typeof parseSettings>, { value: unknown }>['value'];

/**
 * Reads the settings, or reports for each invalid one its name, the problem and the allowed values.
 * No message repeats a token.
 */
export function parseSettings(environment: Environment, flags: Flags) {
  const given: Result<StorePlace, string> =
    flags.memory === true ? ok({ kind: 'memory' }) : parsePlace(environment);
  return Result.combineWithAllErrors([
    parsePort(flags.port === undefined ? 'PORT' : '--port', flags.port ?? environment['PORT']),
    parseHost(flags.host === undefined ? 'HOST' : '--host', flags.host ?? environment['HOST']),
    parseApiTokens(environment['DEALWRIGHT_TOKENS']),
    given,
    parseChoice(environment, 'DEALWRIGHT_CONTRACTOR_SCOPE', ['environment', 'partner']),
    parseChoice(environment, 'DEALWRIGHT_PROFILE', ['interface', 'strict']),
    parseOperatorTokens(environment['DEALWRIGHT_OPERATOR_TOKENS']),
    parseChoice(environment, 'DEALWRIGHT_MODE', ['invoice', 'prepaid']),
    parseChoice(environment, 'DEALWRIGHT_ENVIRONMENT', ['both', 'sandbox', 'production']),
    parseDeprecation(environment),
    parseOrigins(environment['DEALWRIGHT_CORS_ORIGINS']),
    parseWebhookKeys('DEALWRIGHT_WEBHOOK_KEYS', environment['DEALWRIGHT_WEBHOOK_KEYS']),
    parseChoice(environment, 'DEALWRIGHT_WEBHOOK_PRIVATE', ['0', '1']),
    parseNumber('DEALWRIGHT_DRAIN', environment['DEALWRIGHT_DRAIN'], 0, 3_600, 'seconds'),
    parseChoice(environment, 'DEALWRIGHT_LIMITS', ['on', 'off']),
    parseNumber('DEALWRIGHT_PROXIES', environment['DEALWRIGHT_PROXIES'], 0, 100, 'proxies'),
    parseWebhookPorts(environment['DEALWRIGHT_WEBHOOK_PORTS']),
    parseFees(environment['DEALWRIGHT_FEES']),
    parseTolerance(environment['DEALWRIGHT_TOLERANCE']),
    parseChoice(environment, 'DEALWRIGHT_PAGES', ['on', 'off']),
    parsePages(environment),
  ])
    .map(([port, host, tokens, place, contractorScope, profile, ...life]) => {
      const [operatorTokens = [], mode, served, deprecation, corsOrigins, ...webhooks] = life;
      const [webhookKeys, webhookPrivate, drain = defaultDrain, limits, proxies, ...others] =
        webhooks;
      const [webhookPorts, feePolicy, tolerance, choice, pages] = others;
      const given = { port, host, tokens, place, contractorScope, profile };
      const kept = { operatorTokens, mode, served, deprecation, corsOrigins, webhookKeys };
      const isWebhookPrivate = webhookPrivate === '1';
      return {
        ...given,
        ...kept,
        isWebhookPrivate,
        drain,
        isLimited: limits === 'on',
        proxies,
        webhookPorts,
        feePolicy,
        tolerance,
        pages: choice === 'on' ? pages : {},
      };
    })
    .mapErr((problems) => problems.flat())
    .andThen((settings) => {
      const { tokens, served } = settings;
      if (tokens === undefined && served === 'production') {
        return err([
          'DEALWRIGHT_TOKENS is not set: without it there is a token of the sandbox alone, and DEALWRIGHT_ENVIRONMENT is production',
        ]);
      }
      const isServed = tokens?.some(
        ({ tenant }) => served === 'both' || tenant.environment === served,
      );
      if (isServed === false) {
        return err([
          `DEALWRIGHT_TOKENS has no token of ${served}, and DEALWRIGHT_ENVIRONMENT is ${served}`,
        ]);
      }
      const { refused } = weakTokensOf(settings);
      return refused.length > 0 ? err(refused) : ok(settings);
    });
}

/** Seconds: with the grace after it, less than the ten after which `docker stop` kills. */
const defaultDrain = 3;

const known = [
  'DEALWRIGHT_URL',
  'DEALWRIGHT_TOKEN',
  'DEALWRIGHT_OPERATOR_TOKEN',
  'DEALWRIGHT_PAYMENT_TOKEN',
  'DEALWRIGHT_TOKENS',
  'DEALWRIGHT_DATA',
  'DEALWRIGHT_CONTRACTOR_SCOPE',
  'DEALWRIGHT_PROFILE',
  'DEALWRIGHT_OPERATOR_TOKENS',
  'DEALWRIGHT_MODE',
  'DEALWRIGHT_FEES',
  'DEALWRIGHT_TOLERANCE',
  'DEALWRIGHT_ENVIRONMENT',
  'DEALWRIGHT_DEPRECATED_SINCE',
  'DEALWRIGHT_SUNSET',
  'DEALWRIGHT_CORS_ORIGINS',
  'DEALWRIGHT_WEBHOOK_KEYS',
  'DEALWRIGHT_WEBHOOK_PRIVATE',
  'DEALWRIGHT_WEBHOOK_PORTS',
  'DEALWRIGHT_WEBHOOK_SECRET',
  'DEALWRIGHT_DRAIN',
  'DEALWRIGHT_LIMITS',
  'DEALWRIGHT_PROXIES',
  'DEALWRIGHT_PAGES',
  'DEALWRIGHT_PAGES_NAME',
  'DEALWRIGHT_PAGES_LOGO',
  'DEALWRIGHT_PAGES_LINKS',
];

/** The warnings about variables that look like ours but are not. No value is repeated. */
export function unknownSettings(environment: Environment): readonly string[] {
  return (
    Object.keys(environment)
      // Kubernetes sets others for a service of this name
      .filter((name) => /^DEALWRIGHT_(?!SERVICE_|PORT)/.test(name) && !known.includes(name))
      .map((name) => `there is no setting ${printable(name)}: it is ignored (${known.join(', ')})`)
  );
}

interface Tokens {
  readonly tokens: readonly ApiToken[] | undefined;
  readonly operatorTokens: readonly OperatorToken[];
}

function weakTokensOf({ tokens = [], operatorTokens }: Tokens) {
  const partners = tokens.map(({ token, tenant }) => ({ token, environment: tenant.environment }));
  const found = [
    weakTokens('DEALWRIGHT_TOKENS', partners),
    weakTokens('DEALWRIGHT_OPERATOR_TOKENS', operatorTokens),
  ];
  return {
    refused: found.flatMap(({ refused }) => refused),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Warnings about weak settings: tokens that can be guessed, and requests that can be read. */
export function weaknesses(settings: Tokens & Pick<Settings, 'host'>): readonly string[] {
  const { host } = settings;
  return [
    ...weakTokensOf(settings).warnings,
    ...(isLoopback(host)
      ? []
      : [
          `HOST is ${host}, which other machines may reach, and the service speaks HTTP without TLS: tokens and bank accounts can be read on the way, unless a proxy with TLS stands in front and nothing goes round it`,
        ]),
  ];
}

/** One warning for each environment whose partners share their contractors (decision 2.3). */
export function sharedContractors(
  { contractorScope }: Settings,
  tokens: readonly ApiToken[],
): readonly string[] {
  if (contractorScope === 'partner') return [];
  return ['production', 'sandbox'].flatMap((environment) => {
    const own = tokens.filter(({ tenant }) => tenant.environment === environment);
    const { size } = new Set(own.map(({ tenant }) => tenant.partner));
    if (size < 2) return [];
    return `the ${size} partners in ${environment} share their contractors: the first to register an e-mail address supplies its bank account for all of them; DEALWRIGHT_CONTRACTOR_SCOPE=partner keeps them apart`;
  });
}

function parseChoice<const Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly [Choice, Choice, ...Choice[]],
): Result<Choice, string> {
  const text = environment[name] ?? choices[0];
  const choice = choices.find((each) => each === text);
  return choice === undefined
    ? err(`${name} is ${quoted(text)}: set it to ${choices.join(' or ')} (default ${choices[0]})`)
    : ok(choice);
}

/** The origins whose pages may call from a browser, or `*` for all. */
function parseOrigins(
  text: string | undefined,
): Result<readonly string[] | '*' | undefined, readonly string[]> {
  if (text === undefined || text === '*') return ok(text);
  const name = 'DEALWRIGHT_CORS_ORIGINS';
  const form = 'origins such as https://app.example.com, with commas between them, or * for all';
  if (text.trim() === '') return err([`${name} is empty: leave it out, or give ${form}`]);
  const origins = text.split(',').map((each) => each.trim());
  // what browsers send: no path, no closing slash, no upper case, no default port
  const isOrigin = (each: string) =>
    URL.canParse(each) && new URL(each).origin === each && !each.includes('*');
  const problems = origins.flatMap((each, at) =>
    isOrigin(each)
      ? []
      : [`entry ${at + 1} of ${name} is ${quoted(each)}, which is not an origin: give ${form}`],
  );
  return problems.length > 0 ? err(problems) : ok(origins);
}

/** The time since which version 1.0 is deprecated, and the time of its end. */
function parseDeprecation(
  environment: Environment,
): Result<Deprecation | undefined, readonly string[]> {
  const [sinceName, sunsetName] = ['DEALWRIGHT_DEPRECATED_SINCE', 'DEALWRIGHT_SUNSET'];
  return Result.combineWithAllErrors([
    parseDate(sinceName, environment[sinceName]),
    parseDate(sunsetName, environment[sunsetName]),
  ]).andThen(([since, sunset]) => {
    if (sunset === undefined) return ok(since && { since });
    if (since === undefined) {
      return err([`${sunsetName} is set without ${sinceName}: set both, or neither`]);
    }
    // RFC 9745, section 4
    return sunset < since
      ? err([`${sunsetName} is before ${sinceName}: set it to that day or a later one`])
      : ok({ since, sunset });
  });
}

function parseDate(name: string, text: string | undefined): Result<Date | undefined, string> {
  if (text === undefined) return ok(undefined);
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && date.toJSON()?.startsWith(text)
    ? ok(date)
    : err(`${name} is ${quoted(text)}, which is not a date: give one such as 2027-01-31`);
}

function parsePort(name: string, text = '8787'): Result<number, string> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return ok(port);
  return err(
    `${name} is ${quoted(text)}, which is not a port: give a whole number from 0 to 65535, where 0 takes any free port`,
  );
}

function parseWebhookPorts(text: string | undefined): Result<readonly number[], string> {
  if (text === undefined) return ok([]);
  const ports = text.split(',').map((each) => each.trim());
  return ports.every((port) => /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)
    ? ok(ports.map(Number))
    : err('DEALWRIGHT_WEBHOOK_PORTS takes ports from 1 to 65535, with commas between them');
}

function parseHost(name: string, text = '127.0.0.1'): Result<string, string> {
  // not every system knows the other spellings of this name
  if (isLocalName(text)) return ok('localhost');
  if (/^[A-Za-z0-9._:%-]{1,255}$/.test(text)) return ok(text);
  return err(
    `${name} is ${quoted(text)}, which is not a host: give an address or a name to listen on, such as 127.0.0.1, 0.0.0.0, :: or localhost`,
  );
}

/** A given value, shortened, and safe for a terminal. */
function quoted(text: string): string {
  if (text === '') return 'empty';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

/** The number of a deal or a stage, or `undefined` if the text is not one. */
export function parseId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return id >= 1 && Number.isSafeInteger(id) ? id : undefined;
}

/** A whole number within bounds, if it is set. */
export function parseNumber(
  name: string,
  text: string | undefined,
  min: number,
  max: number,
  unit: string,
): Result<number | undefined, string> {
  if (text === undefined) return ok(undefined);
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max
    ? ok(value)
    : err(`${name} takes a whole number of ${unit} from ${min} to ${max}`);
}

/** The settings by which a command reaches a service. */
export type ServiceSettings = ClientOptions & { readonly language: Language };

const defaultUrl = 'http://127.0.0.1:8787';

/** The variables with tokens: of a partner, of an operator, of a freelancer. */
export const tokens = {
  DEALWRIGHT_TOKEN: 'API token',
  DEALWRIGHT_OPERATOR_TOKEN: 'token of an operator',
  DEALWRIGHT_PAYMENT_TOKEN: 'payment token of a deal',
};

/** The variable that has the token. */
export type TokenName = keyof typeof tokens;

/**
 * Reads them, or reports the problem of each invalid one. No message repeats a token or an address.
 */
export function parseServiceSettings(
  environment: Environment,
  flags: Flags,
  tokenName: TokenName,
): Result<ServiceSettings, readonly string[]> {
  return Result.combineWithAllErrors([
    parseUrl(
      flags.url === undefined ? 'DEALWRIGHT_URL' : '--url',
      flags.url ?? environment['DEALWRIGHT_URL'] ?? defaultUrl,
    ),
    readToken(tokenName, environment[tokenName], flags.tokenFile),
    parseNumber('--timeout', flags.timeout, 1, 86_400, 'seconds'),
    parseNumber('--attempts', flags.attempts, 1, 10, 'attempts'),
  ]).map(([baseUrl, token, timeout, attempts]) => ({
    baseUrl,
    token,
    language: flags.lang ?? 'en',
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
    ...(attempts === undefined ? {} : { attempts }),
  }));
}

function parseUrl(name: string, text: string): Result<string, string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return err(`${name} is not a URL: give one such as ${defaultUrl}`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return err(`${name} has a user, a password, a query or a fragment: leave them out`);
  }
  return ok(text);
}

function readToken(
  tokenName: TokenName,
  given: string | undefined,
  path: string | undefined,
): Result<string, string> {
  let [name, token]: [string, string] = [tokenName, given ?? ''];
  if (path !== undefined) {
    name = 'the token in the file of --token-file';
    try {
      token = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      return err(fileProblem('read', path, error));
    }
    if (token === '') return err(`${name} is empty`);
  }
  if (token === '') {
    return err(
      `there is no ${tokens[tokenName]}: set ${tokenName}, or name a file that holds it with --token-file`,
    );
  }
  if (isApiToken(token)) return ok(token);
  return err(
    `${name} cannot be sent in an Authorization header: it takes 1 to 4096 visible ASCII characters`,
  );
}
