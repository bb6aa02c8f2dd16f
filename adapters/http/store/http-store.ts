import { type PortFailure, type Store, type Timer, unavailable } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import * as v from 'valibot';
import { createNumberBlocks } from './number-blocks.js';
import {
  type Calls,
  checkSecret,
  failure,
  operations,
  refusals,
  version,
  versionHeader,
} from './protocol.js';
import { systemTimer } from './system-timer.js';

/** Where a store is, and how long it is given. */
export interface HttpStoreOptions {
  /** `http:` or `https:`, with the path that the other end gave its handler. */
  readonly baseUrl: string;
  /** The secret of the other end. It is in no error. */
  readonly secret: string;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: the runtime's own. */
  readonly timer?: Timer;
  /** Milliseconds for one call, its answer read; default 9,000. */
  readonly timeout?: number;
  /** Bytes of an answer that are read; default 16 MiB. */
  readonly answerLimit?: number;
  /** How many integers are reserved at once, so that a create is one call; default 100. */
  readonly blockSize?: number;
}

/**
 * A store that another service keeps, which gives it by `createStoreHandler`. Each method of the
 * port is one request, sent once: a lost answer is `unavailable`, for a write with the outcome
 * `unknown`, and the core sends it again. Integers are reserved in blocks, of which the rest is lost
 * where this process ends.
 *
 * @example
 * ```ts
 * import { createHttpStore } from 'dealwright/http-store';
 *
 * const store = createHttpStore({
 *   baseUrl: 'https://deals.example.com/store',
 *   secret: 'a-secret-from-the-environment',
 * });
 * ```
 */
export function createHttpStore(options: HttpStoreOptions): Store {
  const settings = readOptions(options);
  // what came is what the schema of the operation describes, which no compiler pairs with the port
  const ask = async <T>(name: keyof Calls, asked: readonly unknown[]) =>
    (await exchange(settings, name, asked)) as Result<T, PortFailure>;
  return {
    commit: (...asked) => ask('commit', asked),
    reserve: createNumberBlocks((...asked) => ask('reserve', asked), settings.blockSize),
    deals: {
      byId: (...asked) => ask('deal-by-id', asked),
      byPartnerId: (...asked) => ask('deal-by-partner-id', asked),
      list: (...asked) => ask('deals', asked),
    },
    workFiles: { recorded: (...asked) => ask('work-files', asked) },
    events: { after: (...asked) => ask('events', asked) },
    tenants: (...asked) => ask('tenants', asked),
  };
}

type Settings = Required<HttpStoreOptions>;

function readOptions(given: HttpStoreOptions): Settings {
  const settings: Settings = {
    fetch: globalThis.fetch,
    timer: systemTimer,
    timeout: 9_000,
    answerLimit: 2 ** 24,
    blockSize: 100,
    ...given,
  };
  checkSecret('createHttpStore', settings.secret);
  if (!/^https?:\/\/[^@?#]+$/.test(settings.baseUrl)) {
    throw new TypeError('createHttpStore: baseUrl is an http: or https: URL without a user name');
  }
  return { ...settings, baseUrl: settings.baseUrl.replace(/\/$/, '') };
}

/** One request, settled when its time is over, whatever `fetch` makes of the signal. */
function exchange(settings: Settings, name: keyof Calls, asked: readonly unknown[]) {
  const { timer, timeout } = settings;
  const { outcome } = operations[name];
  const control = new AbortController();
  return new Promise<Result<unknown, PortFailure>>((resolve) => {
    const cancel = timer.sleep(timeout, () => {
      resolve(failed(outcome, `no answer within ${timeout} ms`));
      control.abort();
    });
    send(settings, name, asked, control.signal)
      // what a fetch throws may name the address and the headers: it is not passed on
      .catch(() => failed(outcome, 'the connection failed'))
      .then((answer) => {
        cancel();
        resolve(answer);
      });
  });
}

async function send(
  { fetch, baseUrl, secret, answerLimit }: Settings,
  name: keyof Calls,
  asked: readonly unknown[],
  signal: AbortSignal,
): Promise<Result<unknown, PortFailure>> {
  const response = await fetch(`${baseUrl}/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      [versionHeader]: version,
    },
    body: JSON.stringify(asked),
    redirect: 'manual',
    signal,
  });
  const { outcome, answered } = operations[name];
  const body = await readBounded(response, answerLimit);
  const { ok: value, unavailable: told, code } = Object(body) as Readonly<Record<string, unknown>>;
  if (response.status === 200) {
    const read = v.safeParse(answered, value);
    if (read.success) return ok(read.output);
  }
  const said = v.safeParse(failure, told);
  if (said.success) return unavailable({ ...said.output, cause: new Error('the store failed') });
  if (typeof code === 'string' && Object.hasOwn(refusals, code)) {
    const [, message] = refusals[code as keyof typeof refusals];
    return unavailable({ outcome: 'none', retryable: false, cause: new Error(message) });
  }
  return failed(outcome, `an answer that the protocol does not have, status ${response.status}`);
}

function failed(outcome: PortFailure['outcome'], reason: string) {
  return unavailable({ outcome, cause: new Error(reason) });
}

/** The JSON of a body, or `undefined` where it is not JSON or too large. */
async function readBounded({ body }: Response, limit: number): Promise<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    size += value.length;
    if (size > limit) {
      void reader?.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
}
