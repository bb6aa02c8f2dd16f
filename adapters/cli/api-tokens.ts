import { isTenant, type Tenant } from 'dealwright';
import { isApiToken } from 'dealwright/auth';
import { err, ok, type Result } from 'neverthrow';

/** An API token and whom it speaks for. */
export interface ApiToken {
  readonly token: string;
  readonly tenant: Tenant;
}

const form =
  '<token>=production:<partner> or <token>=sandbox:<partner>, with commas between entries';

/**
 * Reads DEALWRIGHT_TOKENS: `<token>=<environment>:<partner>`, comma-separated, each split at its last
 * `=`, because a token may hold one. A complaint says which entry it is about by its position only:
 * where an entry is malformed, any part of it may be the secret.
 */
export function parseApiTokens(
  text: string | undefined,
): Result<readonly ApiToken[] | undefined, readonly string[]> {
  if (text === undefined) return ok(undefined);
  if (text.trim() === '') {
    return err([
      `DEALWRIGHT_TOKENS is empty: leave it out to get a sandbox token for trying, or give ${form}`,
    ]);
  }
  const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
  const tokens = entries.map((entry) => (entry.isOk() ? entry.value : undefined));
  const problems = entries.flatMap((entry, at) =>
    entry.isErr() ? [`entry ${at + 1} of DEALWRIGHT_TOKENS ${entry.error}`] : [],
  );
  tokens.forEach((given, at) => {
    const first = tokens.findIndex((each) => each?.token === given?.token);
    if (given === undefined || first === at) return;
    problems.push(
      `entry ${at + 1} of DEALWRIGHT_TOKENS has the token of entry ${first + 1}: a token speaks for one partner in one environment`,
    );
  });
  return problems.length > 0 ? err(problems) : ok(tokens.filter((each) => each !== undefined));
}

function parseEntry(entry: string): Result<ApiToken, string> {
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
  const [environment = '', ...partner] = entry.slice(equals + 1).split(':');
  if (partner.length === 0) return err(`has no ":" after its last "=": give ${form}`);
  if (environment !== 'production' && environment !== 'sandbox') {
    return err(`names neither production nor sandbox after its last "=": give ${form}`);
  }
  const tenant = { environment, partner: partner.join(':') } as const;
  return isTenant(tenant)
    ? ok({ token, tenant })
    : err('has no good partner after its ":": give a name of 1 to 128 characters');
}
