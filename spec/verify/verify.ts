import type { Law, LawGroup } from '../laws.js';
import { wireGroups } from '../wire/index.js';
import { createServer, membersOf, type Server } from '../wire/server.js';
import { type Profile, type Promises, profiles, promisesIn, promisesOf } from './promises.js';
import type { ReceiverOptions, ReceivingServer } from './receiver.js';
import { byLaw, type CaseResult, outcomeOf, type Report } from './report.js';
import { runCases, runnable } from './run.js';
import { type CaseTransport, createTransport, type Exchange, reasonOf } from './transport.js';

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
  /** The id of a law, or its beginning: only those are judged. */
  readonly only?: string | undefined;
  /** Laws that are known to fail. One that passes is told as mended. */
  readonly baseline?: readonly string[] | undefined;
  /** Where the server may post webhooks to; default: a server of the run on 127.0.0.1. */
  readonly receiver?: ReceiverOptions | undefined;
  /** The id of a subcategory; default: the first of the server's categories. */
  readonly subcategory?: number | undefined;
  /** The seed of the random cases; default: a random one. */
  readonly seed?: number | undefined;
  /** The fewest runs of a random case; default 25. */
  readonly runs?: number | undefined;
  /** Milliseconds until the last byte of an answer; default 10,000. */
  readonly timeout?: number | undefined;
  /** The most requests in a second; default 500. */
  readonly rate?: number | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/** The server cannot be judged: wrong options, no server, a token that it refuses. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
}

/** All laws that `verify` judges. */
export function verifiedLaws(): readonly Law[] {
  return [...wireGroups].flatMap(({ laws }: Pick<LawGroup<never>, 'laws'>) => laws);
}

/**
 * Judges a server of the interface over HTTP, in any language, and reports which laws it keeps. It
 * is a guest: it needs no empty service, and all that it makes has names of its own. It rejects
 * with a `VerifyError` if there is nothing to judge.
 *
 * @example
 * ```ts
 * import { exitCodeOf, verify } from 'dealwright/verify';
 *
 * const report = await verify({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * for (const { law, failure } of report.results) if (failure) console.log(law.id, failure.message);
 * process.exitCode = exitCodeOf(report);
 * ```
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const begin = Date.now();
  const { seed = drawSeed(), runs = 25, timeout = 10_000, rate = 500, only = '' } = options;
  const { fetch = globalThis.fetch, baseline = [], onResult } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  if (!/^https?:\/\/[^?#]+$/.test(base)) {
    throw new VerifyError('the base URL is an http(s) URL without query and fragment');
  }
  const secrets = secretsOf(options);
  const asked = { base, timeout, rate, fetch, secrets };
  const visit = createTransport({ ...asked, promises: anything })();
  const promises = await promisesBy(visit, options);
  const subcategory = await look(visit, promises, options);
  const transport = createTransport({ ...asked, promises });
  const prefix = `v${crypto.randomUUID().slice(0, 6)}`;
  // most runs have no webhooks, and only Node can listen
  let receiving: Promise<ReceivingServer> | undefined;
  const receive = async () => {
    receiving ??= import('./receiver.js').then((each) => each.startReceiver(options.receiver));
    return (await receiving).open();
  };
  try {
    const open = (each: CaseTransport): Server =>
      createServer(
        {
          token: options.token,
          otherToken: options.otherToken,
          operatorToken: options.operatorToken,
          partnerName: options.partner,
          subcategory: options.subcategory ?? subcategory,
          prefix,
          seed,
          runs,
          patience: timeout,
          receiver: receive,
        },
        each,
      );
    const cases = runnable(wireGroups, open).filter(({ law }) => isUnder(law.id, only));
    if (cases.length === 0) throw new VerifyError(`no law has an id that begins with ${only}`);
    const left = createLedger();
    const results = await runCases(cases, {
      transport,
      limit: 6 * timeout,
      seed,
      runs,
      secrets,
      onResult(result, exchanges) {
        left.add(exchanges);
        onResult?.(result);
      },
    });
    const outcomes = new Map([...byLaw(results)].map(([id, all]) => [id, outcomeOf(all)]));
    return {
      server: base,
      at: new Date(begin).toISOString(),
      seconds: (Date.now() - begin) / 1000,
      seed,
      prefix,
      profiles: [...promises.profiles],
      results,
      left: left.counts(),
      mended: baseline.filter((id) => outcomes.get(id) === 'passed'),
      known: baseline.filter((id) => outcomes.get(id) === 'failed'),
    };
  } finally {
    await (await receiving)?.close();
  }
}

const anything: Promises = { profiles: new Set(profiles), refusal: () => undefined };

function drawSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0] ?? 1;
}

/** An id, or whole segments at its beginning. */
function isUnder(id: string, only: string): boolean {
  return only === '' || id === only || id.startsWith(only.endsWith('/') ? only : `${only}/`);
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
  { profiles: chosen }: VerifyOptions,
): Promise<Promises> {
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
  if (chosen !== undefined && chosen.length > 0) return promisesOf(chosen);
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
  const { status, bytes } = await visit
    .send({ method: 'GET', path, headers })
    .catch((cause: unknown) => {
      throw new VerifyError(`the server does not answer: ${reasonOf(cause)}`, { cause });
    });
  if (status === 401) throw new VerifyError('the server refuses the token');
  if (environment === undefined && !(await isSandbox(visit, headers))) {
    throw new VerifyError(
      'the server does not show that the token is of a sandbox: say --sandbox, or --production',
    );
  }
  return status === 200 ? (firstSubcategory(bytes) ?? 75) : 75;
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
  const { status } = await visit.send({
    method: 'POST',
    path: '/api/2.0/sandbox/clock/',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  return status === 400;
}

/** Counts what was made and is still there. */
function createLedger() {
  const made = new Map<string, Set<string>>();
  const kinds = { contractor: 'contractors', deal: 'deals', file: 'files', webhook: 'webhooks' };
  return {
    add(exchanges: readonly Exchange[]) {
      for (const { method, url, status, answer } of exchanges) {
        const segments = new URL(url).pathname.split('/').filter((each) => each !== '');
        const kind = kinds[segments.at(-1) as keyof typeof kinds];
        if (method === 'POST' && status === 201 && kind !== undefined) {
          const all = made.get(kind) ?? new Set();
          // a repeat of a create has the same answer
          made.set(kind, all.add(new TextDecoder().decode(answer)));
        }
        const isDeleted = method === 'DELETE' && status !== undefined && status < 300;
        const webhooks = made.get('webhooks');
        const [gone] = [...(webhooks ?? [])].filter((each) => each.includes(segments.at(-1) ?? ''));
        if (isDeleted && gone !== undefined) webhooks?.delete(gone);
      }
    },
    counts: () => Object.fromEntries([...made].map(([kind, all]) => [kind, all.size])),
  };
}
