import { type Environment, isTenant, type Tenant } from 'dealwright';
import { isApiToken } from 'dealwright/auth';
import { err, ok, type Result } from 'neverthrow';

/** An API token and its tenant. */
export interface ApiToken {
  readonly token: string;
  readonly tenant: Tenant;
}

/** A token of an operator, and its environment. */
export interface OperatorToken {
  readonly token: string;
  readonly environment: Environment;
}

/** The form of an entry of a list of tokens. */
interface EntryForm<T> {
  /** The setting that has the list. */
  readonly setting: string;
  readonly form: string;
  /** The meaning of a token. */
  readonly meaning: string;
  /** Reads the text after the last `=`. */
  readonly read: (text: string) => Result<T, string>;
}

const ofPartners: EntryForm<Pick<ApiToken, 'tenant'>> = {
  setting: 'DEALWRIGHT_TOKENS',
  form: '<token>=production:<partner> or <token>=sandbox:<partner>, with commas between entries',
  meaning: 'one partner in one environment',
  read(text) {
    const [environment = '', ...partner] = text.split(':');
    if (partner.length === 0) return err('has no ":" after its last "="');
    if (!isEnvironment(environment)) {
      return err('names neither production nor sandbox after its last "="');
    }
    const tenant = { environment, partner: partner.join(':') };
    return isTenant(tenant)
      ? ok({ tenant })
      : err('has no partner of 1 to 128 characters after its ":"');
  },
};

const ofOperators: EntryForm<Pick<OperatorToken, 'environment'>> = {
  setting: 'DEALWRIGHT_OPERATOR_TOKENS',
  form: '<token>=production or <token>=sandbox, with commas between entries',
  meaning: 'an operator in one environment',
  read: (environment) =>
    isEnvironment(environment)
      ? ok({ environment })
      : err('names neither production nor sandbox after its last "="'),
};

/** Reads DEALWRIGHT_TOKENS: `<token>=<environment>:<partner>`, comma-separated. */
export const parseApiTokens = (text: string | undefined) => parseTokens(ofPartners, text);

/** Reads DEALWRIGHT_OPERATOR_TOKENS: `<token>=<environment>`, comma-separated. */
export const parseOperatorTokens = (text: string | undefined) => parseTokens(ofOperators, text);

/**
 * Reads a list of tokens, each entry split at its last `=`, because a token may contain one. A
 * complaint names its entry only by position: if an entry is malformed, any part of it may
 * be the secret.
 */
function parseTokens<T>(
  entryForm: EntryForm<T>,
  text: string | undefined,
): Result<readonly (T & { readonly token: string })[] | undefined, readonly string[]> {
  const { setting, form, meaning } = entryForm;
  if (text === undefined) return ok(undefined);
  if (text.trim() === '') return err([`${setting} is empty: leave it out, or give ${form}`]);
  const entries = text.split(',').map((entry) => parseEntry(entryForm, entry.trim()));
  const tokens = entries.map((entry) => (entry.isOk() ? entry.value : undefined));
  const problems = entries.flatMap((entry, at) =>
    entry.isErr() ? [`entry ${at + 1} of ${setting} ${entry.error}`] : [],
  );
  tokens.forEach((given, at) => {
    const first = tokens.findIndex((each) => each?.token === given?.token);
    if (given === undefined || first === at) return;
    problems.push(
      `entry ${at + 1} of ${setting} has the token of entry ${first + 1}: a token speaks for ${meaning}`,
    );
  });
  return problems.length > 0 ? err(problems) : ok(tokens.filter((each) => each !== undefined));
}

function parseEntry<T>(
  { form, read }: EntryForm<T>,
  entry: string,
): Result<T & { readonly token: string }, string> {
  if (entry === '') return err(`is empty: give ${form}`);
  const equals = entry.lastIndexOf('=');
  if (equals < 0) return err(`has no "=": give ${form}`);
  const token = entry.slice(0, equals);
  if (token === '') return err(`has no token in front of its last "=": give ${form}`);
  if (!isApiToken(token)) {
    return err(
      'has a token that no Authorization header can carry: use 1 to 4096 letters, digits and other visible ASCII, without spaces',
    );
  }
  return read(entry.slice(equals + 1))
    .map((meant) => ({ ...meant, token }))
    .mapErr((flaw) => `${flaw}: give ${form}`);
}

/** The fewest characters of a token that cannot be guessed. */
const shortestToken = 20;

/**
 * Complaints about tokens that can be guessed, by their position in the setting: those of
 * production are refused, the others only cause a warning.
 */
export function weakTokens(
  setting: 'DEALWRIGHT_TOKENS' | 'DEALWRIGHT_OPERATOR_TOKENS',
  tokens: readonly { readonly token: string; readonly environment: Environment }[],
): { readonly refused: readonly string[]; readonly warnings: readonly string[] } {
  const weak = tokens.flatMap(({ token, environment }, at) => {
    if (token.length >= shortestToken) return [];
    const text = `entry ${at + 1} of ${setting} has a token of ${token.length} characters, for ${environment}: it can be guessed; give one of ${shortestToken} or more, such as "openssl rand -hex 24" makes`;
    return [{ environment, text }];
  });
  const textsOf = (isRefused: boolean) =>
    weak
      .filter(({ environment }) => (environment === 'production') === isRefused)
      .map(({ text }) => text);
  return { refused: textsOf(true), warnings: textsOf(false) };
}

function isEnvironment(text: string): text is Environment {
  return text === 'production' || text === 'sandbox';
}
