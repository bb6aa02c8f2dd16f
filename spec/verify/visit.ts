import { NotApplicable } from '../laws.js';
import type { Promised } from '../wire/promised.js';
import { membersOf, type Receiver } from '../wire/server.js';
import { promisedBy, wrongPromise } from './known.js';
import { type Profile, type Promises, profiles, promisesIn, promisesOf } from './promises.js';
import type { ReceiverOptions, ReceivingServer } from './receiver.js';
import type { CaseResult } from './report.js';
import {
  type CaseTransport,
  createTransport,
  reasonOf,
  type WireAnswer,
  type WireRequest,
} from './transport.js';

/** What to judge, and how. */
export interface VerifyOptions {
  /** The URL of the server, with the path before `/api/`, if any. */
  readonly baseUrl: string;
  /** The API token of a partner. */
  readonly token: string;
  /** The name of that partner, which operators need in their paths. */
  readonly partner?: string | undefined;
  /** The API token of another partner of the same environment: isolation is judged with it. */
  readonly otherToken?: string | undefined;
  /** The token of an operator of the same environment. */
  readonly operatorToken?: string | undefined;
  /**
   * The environment of the tokens. Without it, the server must show that it is a sandbox: in
   * production a run leaves contractors and deals behind.
   */
  readonly environment?: 'sandbox' | 'production' | undefined;
  /**
   * The parts of the interface to judge. Default: those that the server's `/openapi.json` promises;
   * a server without that document needs them.
   */
  readonly profiles?: readonly Profile[] | undefined;
  /**
   * What the server promises and does not tell at `GET /api/2.0/`; it comes before what it tells.
   * The laws follow it.
   */
  readonly promises?: Partial<Promised> | undefined;
  /** The ids of laws, or their beginnings: only those are judged. */
  readonly only?: string | readonly string[] | undefined;
  /** Laws that are known to fail. One that passes is told as mended. */
  readonly baseline?: readonly string[] | undefined;
  /**
   * Where the server may post webhooks to; default: a server of the run on 127.0.0.1. With `false`,
   * laws that need a receiver are not applicable.
   */
  readonly receiver?: ReceiverOptions | false | undefined;
  /** The id of a subcategory; default: the first of the server's categories. */
  readonly subcategory?: number | undefined;
  /** The seed of the random cases; default: a random one. */
  readonly seed?: number | undefined;
  /** The fewest runs of a random case; default 25. */
  readonly runs?: number | undefined;
  /** Milliseconds until the last byte of an answer; default 10,000. */
  readonly timeout?: number | undefined;
  /** The most requests in a second; default 1,000. */
  readonly rate?: number | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/**
 * The server cannot be judged: wrong options, no server, a token that it refuses.
 *
 * @example
 * ```ts
 * import { VerifyError, verify } from 'dealwright/verify';
 *
 * const error = await verify({ baseUrl: 'http://127.0.0.1:1', token: 'token' }).catch(
 *   (reason: unknown) => reason,
 * );
 * console.log(error instanceof VerifyError);
 * ```
 */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
}

/** A server that was found and can be judged, with all that the cases share. */
export interface Visit {
  readonly options: VerifyOptions;
  /** The URL of the server, without a slash at its end. */
  readonly base: string;
  readonly promises: Promises;
  readonly promised: Promised;
  readonly subcategory: number;
  /** The beginning of every name that is made. */
  readonly prefix: string;
  readonly seed: number;
  readonly runs: number;
  /** Milliseconds until the last byte of an answer. */
  readonly timeout: number;
  /** The name that a report shows in place of each secret. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly transport: () => CaseTransport;
  readonly receiver: () => Promise<Receiver>;
  close(): Promise<void>;
}

/** Looks at the server, and rejects with a `VerifyError` if there is nothing to judge. */
export async function openVisit(options: VerifyOptions): Promise<Visit> {
  const { seed = drawSeed(), runs = 25, timeout = 10_000, rate = 1_000 } = options;
  const { fetch = globalThis.fetch } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  if (!/^https?:\/\/[^?#]+$/.test(base)) {
    throw new VerifyError('the base URL is an http(s) URL without query and fragment');
  }
  for (const [name, value, most] of [
    ['seed', seed, 2 ** 53],
    ['runs', runs, 100_000],
    ['timeout', timeout, 300_000_000],
    ['rate', rate, 1_000_000],
  ] as const) {
    const least = name === 'seed' ? -most : 1;
    if (!(value >= least && value <= most)) {
      throw new VerifyError(`${name} is a number from ${least} to ${most}`);
    }
  }
  const wrong = wrongPromise(options.promises ?? {});
  if (wrong !== undefined) throw new VerifyError(`there is no such promise: ${wrong}`);
  const secrets = secretsOf(options);
  const asked = { base, timeout, rate, fetch, secrets };
  const first = createTransport({ ...asked, promises: anything })();
  const promises = await promisesBy(first, options);
  const subcategory = await look(first, promises, options);
  const promised = promisedBy(await told(first, options), options.promises);
  // most runs have no webhooks, and only Node can listen
  let receiving: Promise<ReceivingServer> | undefined;
  return {
    options,
    base,
    promises,
    promised,
    subcategory: options.subcategory ?? subcategory,
    prefix: `v${crypto.randomUUID().slice(0, 6)}`,
    seed,
    runs,
    timeout,
    secrets,
    transport: createTransport({ ...asked, promises }),
    async receiver() {
      const { receiver } = options;
      if (receiver === false) throw new NotApplicable('the run has no receiver of webhooks');
      receiving ??= import('./receiver.js').then((each) => each.startReceiver(receiver));
      const server = await receiving.catch((cause: unknown) => {
        // that is no fault of the server that is judged
        throw new NotApplicable(`the receiver of webhooks cannot listen: ${reasonOf(cause)}`);
      });
      return server.open();
    },
    async close() {
      const server = await receiving?.catch(() => undefined);
      await server?.close();
    },
  };
}

const anything: Promises = { profiles: new Set(profiles), refusal: () => undefined };

function drawSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0] ?? 1;
}

function secretsOf({ token, otherToken, operatorToken }: VerifyOptions): Map<string, string> {
  const named = [
    [token, '$TOKEN'],
    [otherToken, '$OTHER_TOKEN'],
    [operatorToken, '$OPERATOR_TOKEN'],
  ] as const;
  return new Map(named.flatMap(([secret, name]) => (secret ? [[secret, name]] : [])));
}

/** The promises that the server states, or the profiles that the caller names. */
async function promisesBy(
  visit: CaseTransport,
  { profiles: asked, environment }: VerifyOptions,
): Promise<Promises> {
  // a server of both environments states the operations of the sandbox for tokens of either
  const chosen =
    environment === 'production' ? (asked ?? profiles).filter((each) => each !== 'sandbox') : asked;
  let document: unknown;
  try {
    const { status, bytes } = await visit.send({
      method: 'GET',
      path: '/openapi.json',
      headers: {},
    });
    document = status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) {
      throw new VerifyError(`there is no server: ${(cause as Error).message}`, { cause });
    }
  }
  if (Object(document).paths !== undefined) return promisesIn(document, chosen);
  if (asked !== undefined && chosen !== undefined && chosen.length > 0) return promisesOf(chosen);
  throw new VerifyError(
    'the server has no /openapi.json that says what it promises: name its profiles (--profile)',
  );
}

/** Reads the categories, which shows that the token is right, and finds out the environment. */
async function look(
  visit: CaseTransport,
  promises: Promises,
  { token, environment }: VerifyOptions,
): Promise<number> {
  const headers = { authorization: `Token ${token}` };
  const version = promises.profiles.has('v2') ? '2.0' : '1.0';
  const path = `/api/${version}/category/`;
  const { status, bytes } = await ask(visit, { method: 'GET', path, headers });
  if (status === 401) throw new VerifyError('the server refuses the token');
  if (environment === undefined && !(await isSandbox(visit, headers))) {
    throw new VerifyError(
      'the server does not show that the token is of a sandbox: say --sandbox, or --production',
    );
  }
  return status === 200 ? (firstSubcategory(bytes) ?? 75) : 75;
}

/** What the server tells of its promises; `undefined` if it does not. */
async function told(visit: CaseTransport, { token }: VerifyOptions): Promise<unknown> {
  const headers = { authorization: `Token ${token}` };
  const { status, bytes } = await ask(visit, { method: 'GET', path: '/api/2.0/', headers });
  if (status !== 200) return undefined;
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    // a law says what is wrong
    return undefined;
  }
}

/** A request before the first case: without an answer there is nothing to judge. */
async function ask(visit: CaseTransport, request: WireRequest): Promise<WireAnswer> {
  try {
    return await visit.send(request);
  } catch (cause) {
    throw new VerifyError(`the server does not answer: ${(cause as Error).message}`, { cause });
  }
}

function firstSubcategory(bytes: Uint8Array): number | undefined {
  try {
    const { data } = membersOf(JSON.parse(new TextDecoder().decode(bytes)), 'the answer');
    for (const { subcategories } of data as { subcategories: { id: number }[] }[]) {
      for (const { id } of subcategories) return id;
    }
  } catch {
    // the laws about categories say what is wrong
  }
  return undefined;
}

/** A sandbox knows its clock, and refuses to move it by nothing; production has none. */
async function isSandbox(
  visit: CaseTransport,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { status } = await ask(visit, {
    method: 'POST',
    path: '/api/2.0/sandbox/clock/',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  return status === 400;
}
