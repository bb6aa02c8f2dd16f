import {
  checkOptions,
  createPortGuard,
  type PortFailure,
  type Store,
  type Timer,
  unavailable,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import * as v from 'valibot';
import { createReserve } from '../../shared/id-blocks.js';
import { isInteger } from '../../shared/options.js';
import { systemTimer } from '../../shared/timer.js';
import { collectBytes, jsonOf, piecesOfStream } from '../wire/bytes.js';
import {
  failure,
  isSecret,
  type OperationName,
  operations,
  outcomeOf,
  refusals,
  version,
  versionHeader,
} from './protocol.js';

/** The options of `createHttpStore`. */
export interface HttpStoreOptions {
  /** `http:` or `https:`, with the path of the handler at the other end. */
  readonly baseUrl: string;
  /** The secret of the other end. No error shows it. */
  readonly secret: string;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: the runtime's own. */
  readonly timer?: Timer;
  /** Milliseconds for one call with its whole answer; default 9,000. */
  readonly timeout?: number;
  /** The most bytes of an answer; default 16 MiB. */
  readonly answerLimit?: number;
  /** Integers that are reserved at once, so that a create is one call: 1 to 10,000; default 100. */
  readonly blockSize?: number;
}

/**
 * A store that another service offers by `createStoreHandler`. Each method of the port is one
 * request, sent once. A lost answer is `unavailable`, for a write with the outcome `unknown`, and
 * the core sends it again. Integers are reserved in blocks; the rest of a block is lost when this
 * process ends.
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
  const {
    baseUrl,
    secret,
    fetch = globalThis.fetch,
    timer = systemTimer,
  } = Object(options) as HttpStoreOptions;
  const { timeout = 9_000, answerLimit = 2 ** 24, blockSize = 100 } = options;
  checkOptions('createHttpStore', {
    'baseUrl is an http: or https: URL without a user name': /^https?:\/\/[^@?#]+$/.test(baseUrl),
    'secret has 16 to 1024 visible ASCII characters': isSecret(secret),
    'blockSize is an integer from 1 to 10000': isInteger(blockSize, 1, 10_000),
  });
  const base = baseUrl.replace(/\/$/, '');
  const guard = createPortGuard(timer, timeout);

  async function send<T>(name: OperationName, asked: readonly unknown[]) {
    const response = await fetch(`${base}/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        [versionHeader]: version,
      },
      body: JSON.stringify(asked),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const pieces = response.body ? piecesOfStream<Uint8Array>(response.body) : [];
    const bytes = await collectBytes(pieces, answerLimit);
    const body = bytes === 'too_large' ? undefined : jsonOf(bytes);
    return readReply<T>(name, asked, response.status, Object(body));
  }

  const ask = async <T>(name: OperationName, asked: readonly unknown[]) => {
    const outcome = outcomeOf(name);
    return guard(outcome, () =>
      // an error of fetch may name the address and the headers: it is not passed on
      send<T>(name, asked).catch(() => failed(outcome, 'the connection failed')),
    );
  };
  return {
    commit: (...asked) => ask('commit', asked),
    reserve: createReserve((environment) => ({
      fetch: (count, above) => ask('reserve', [environment, count, above]),
      size: blockSize,
      isUsedUp: ({ retryable, cause }) => !retryable && cause === storeFailed,
    })),
    deals: {
      byId: (...asked) => ask('deal-by-id', asked),
      byPartnerId: (...asked) => ask('deal-by-partner-id', asked),
      byPaymentToken: (...asked) => ask('deal-by-payment-token', asked),
      list: (...asked) => ask('deals', asked),
    },
    workFiles: { recorded: (...asked) => ask('work-files', asked) },
    events: {
      after: (...asked) => ask('events', asked),
      of: (...asked) => ask('events-of', asked),
    },
    records: {
      byKey: (...asked) => ask('record-by-key', asked),
      list: (...asked) => ask('records', asked),
      byIndex: (...asked) => ask('records-by-index', asked),
    },
    due: (...asked) => ask('due', asked),
    tenants: (after, limit, before) => ask('tenants', [after, limit, before]),
    identity: () => ask('identity', []),
    prune: (...asked) => ask('prune', asked),
  };
}

/** The cause stays at the other end. */
const storeFailed = new Error('the store failed');

function readReply<T>(
  name: OperationName,
  asked: readonly unknown[],
  status: number,
  reply: Readonly<Record<string, unknown>>,
): Result<T, PortFailure> {
  const { ok: answer, unavailable: told, code } = reply;
  const value = answer ?? undefined;
  // isAnswer has checked the answer; the compiler cannot pair it with the port
  const isAnswer = status === 200 && 'ok' in reply && operations[name].isAnswer(value, asked);
  if (isAnswer) return ok(value as T);
  const said = v.safeParse(failure, told);
  if (said.success) return unavailable({ ...said.output, cause: storeFailed });
  if (typeof code === 'string' && Object.hasOwn(refusals, code)) {
    const [, message] = refusals[code as keyof typeof refusals];
    return unavailable({ outcome: 'none', retryable: false, cause: new Error(message) });
  }
  return failed(outcomeOf(name), `an answer that the protocol does not have, status ${status}`);
}

function failed(outcome: PortFailure['outcome'], reason: string) {
  return unavailable({ outcome, cause: new Error(reason) });
}
