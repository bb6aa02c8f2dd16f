import { err, ok, type Result } from 'neverthrow';
import { type ApiToken, parseApiTokens } from './api-tokens.js';
import { printable } from './printable.js';
import { parsePlace, type StorePlace } from './store/place.js';

/** What `dealwright serve` runs with. */
export interface Settings {
  readonly host: string;
  /** 0 means any port that is free. */
  readonly port: number;
  /** Absent: the service makes one for the sandbox. */
  readonly tokens?: readonly ApiToken[];
  readonly place: StorePlace;
}

/** The flags of `dealwright serve`; each stands before its environment variable. */
export interface Flags {
  readonly host?: string;
  readonly port?: string;
  readonly memory?: true;
  readonly migrate?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings, or says of every bad one which it is, what is wrong and what is allowed. No
 * complaint repeats a token.
 */
export function parseSettings(
  environment: Environment,
  flags: Flags = {},
): Result<Settings, readonly string[]> {
  const port = parsePort(
    flags.port === undefined ? 'PORT' : '--port',
    flags.port ?? environment['PORT'],
  );
  const host = parseHost(
    flags.host === undefined ? 'HOST' : '--host',
    flags.host ?? environment['HOST'],
  );
  const tokens = parseApiTokens(environment['DEALWRIGHT_TOKENS']);
  const place: Result<StorePlace, string> =
    flags.memory === true ? ok({ kind: 'memory' }) : parsePlace(environment);
  if (port.isOk() && host.isOk() && tokens.isOk() && place.isOk()) {
    return ok({
      place: place.value,
      port: port.value,
      host: host.value,
      ...(tokens.value === undefined ? {} : { tokens: tokens.value }),
    });
  }
  return err([
    ...(port.isErr() ? [port.error] : []),
    ...(host.isErr() ? [host.error] : []),
    ...(tokens.isErr() ? tokens.error : []),
    ...(place.isErr() ? [place.error] : []),
  ]);
}

const known = ['DEALWRIGHT_URL', 'DEALWRIGHT_TOKEN', 'DEALWRIGHT_TOKENS', 'DEALWRIGHT_DATA'];

/** What is said of variables that look like ours and are not. No value is repeated. */
export function unknownSettings(environment: Environment): readonly string[] {
  return (
    Object.keys(environment)
      // a Kubernetes service of this name puts others of its own there
      .filter((name) => /^DEALWRIGHT_(?!SERVICE_|PORT)/.test(name) && !known.includes(name))
      .map((name) => `there is no setting ${printable(name)}: it is ignored (${known.join(', ')})`)
  );
}

function parsePort(name: string, text = '8787'): Result<number, string> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return ok(port);
  return err(
    `${name} is ${quoted(text)}, which is no port: give a whole number from 0 to 65535, where 0 takes any free port`,
  );
}

function parseHost(name: string, text = '127.0.0.1'): Result<string, string> {
  if (/^[A-Za-z0-9._:%-]{1,255}$/.test(text)) return ok(text);
  return err(
    `${name} is ${quoted(text)}, which is no host: give an address or a name to listen on, such as 127.0.0.1, 0.0.0.0, :: or localhost`,
  );
}

const longest = 60;

/** A value as it was given, short, and without a character that could play tricks on a terminal. */
function quoted(text: string): string {
  if (text === '') return 'empty';
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}...` : text);
}
