import { readFileSync } from 'node:fs';
import type { Language } from 'dealwright';
import { isApiToken } from 'dealwright/auth';
import type { ClientOptions } from 'dealwright/client';
import { err, ok, Result } from 'neverthrow';
import type { Flags } from './fields.js';
import { fileProblem } from './problem.js';
import { type Environment, parseNumber } from './settings.js';

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
