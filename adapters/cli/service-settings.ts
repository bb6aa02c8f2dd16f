import { readFileSync } from 'node:fs';
import type { Language } from 'dealwright';
import { isApiToken } from 'dealwright/auth';
import { err, ok, Result } from 'neverthrow';
import type { Flags } from './flags.js';
import { fileProblem } from './problem.js';
import { type Environment, parseNumber } from './settings.js';

/** How a service is reached. */
export interface ServiceSettings {
  readonly baseUrl: string;
  readonly token: string;
  readonly language: Language;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Attempts that a call has at most. */
  readonly attempts?: number;
}

const defaultUrl = 'http://127.0.0.1:8787';

/** Reads them, or says of each bad one what is wrong. No message repeats a token or an address. */
export function parseServiceSettings(
  environment: Environment,
  flags: Flags,
): Result<ServiceSettings, readonly string[]> {
  return Result.combineWithAllErrors([
    parseUrl(
      flags.url === undefined ? 'DEALWRIGHT_URL' : '--url',
      flags.url ?? environment['DEALWRIGHT_URL'] ?? defaultUrl,
    ),
    readToken(environment['DEALWRIGHT_TOKEN'], flags.tokenFile),
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

function readToken(given: string | undefined, path: string | undefined): Result<string, string> {
  let token = given;
  const name = path === undefined ? 'DEALWRIGHT_TOKEN' : 'the token in the file of --token-file';
  if (path !== undefined) {
    try {
      token = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      return err(fileProblem('read', path, error));
    }
  }
  if (token === undefined || token === '') {
    return err(
      path === undefined
        ? 'there is no API token: set DEALWRIGHT_TOKEN, or name a file that holds it with --token-file'
        : `${name} is empty`,
    );
  }
  return isApiToken(token)
    ? ok(token)
    : err(
        `${name} cannot be sent in an Authorization header: it takes 1 to 4096 visible ASCII characters`,
      );
}
