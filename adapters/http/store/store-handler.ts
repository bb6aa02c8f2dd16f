import type { Handler, HttpRequest, HttpResponse } from 'dealwright/http';
import {
  type Answer,
  checkOptions,
  createPortGuard,
  type Store,
  type Timer,
} from 'dealwright/ports';
import * as v from 'valibot';
import { systemTimer } from '../../shared/timer.js';
import { jsonOf } from '../wire/bytes.js';
import { callHook } from '../wire/route.js';
import {
  hash,
  isSecret,
  type OperationName,
  operations,
  outcomeOf,
  refusals,
  version,
  versionHeader,
} from './protocol.js';

/** The options of `createStoreHandler`. */
export interface StoreHandlerOptions {
  /** Shared with the other ends: 16 to 1024 visible ASCII characters. */
  readonly secret: string;
  /** The path before the names of methods; default `/store`. */
  readonly path?: string;
  /** The most bytes of a request; default 8 MiB. */
  readonly bodyLimit?: number;
  /** Milliseconds that the store has to answer; default 8,000. */
  readonly deadline?: number;
  /** Default: the runtime's own. */
  readonly timer?: Timer;
  /** Called when the store fails, with the cause, which the caller does not get. */
  readonly onError?: (report: StoreErrorReport) => unknown;
}

/** The failure of a method of the store. */
export interface StoreErrorReport {
  readonly operation: string;
  readonly cause: unknown;
}

/**
 * Offers a store to other services: the other end of `createHttpStore`. Mount it by
 * `createFetchHandler` of `dealwright/http` or `createNodeListener` of `dealwright/node`. The
 * secret gives access to everything: mount it in a trusted network or under TLS.
 *
 * @example
 * ```ts
 * import { createFetchHandler } from 'dealwright/http';
 * import { createStoreHandler } from 'dealwright/http-store';
 * import { createMemoryStore } from 'dealwright/memory';
 *
 * const secret = 'a-secret-from-the-environment';
 * const fetch = createFetchHandler(createStoreHandler(createMemoryStore(), { secret }));
 * ```
 */
export function createStoreHandler(store: Store, options: StoreHandlerOptions): Handler {
  const { secret, path = '/store', bodyLimit = 2 ** 23, onError } = options;
  checkOptions('createStoreHandler', {
    'secret has 16 to 1024 visible ASCII characters': isSecret(secret),
  });
  const allowed = hash(`Bearer ${secret}`);
  const guard = createPortGuard(options.timer ?? systemTimer, options.deadline ?? 8_000);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    // compare hashes: the time to compare texts would tell how much of one is right
    if (hash(request.header('authorization') ?? '') !== allowed) return refusal('unauthorized');
    const name = request.target.slice(path.length + 1);
    if (request.target !== `${path}/${name}` || !isOperation(name)) return refusal('not_found');
    if (request.method !== 'POST') return refusal('method_not_allowed');
    if (request.header(versionHeader) !== version) return refusal('version_mismatch');
    const body = await request.body(bodyLimit);
    if (body === 'too_large') return refusal('payload_too_large');
    // a body that cannot be read is not a list of parameters
    const given = body === 'aborted' ? undefined : jsonOf(body);
    const asked = v.safeParse(operations[name].asked, given, { abortEarly: true });
    if (!asked.success) return refusal('invalid_request');

    // the schema has checked the parameters; the compiler cannot pair them with the port
    const call = operations[name].call as (store: Store, asked: unknown) => Answer<unknown>;
    const answered = await guard(outcomeOf(name), () => call(store, asked.output));
    if (answered.isOk()) return json(200, { ok: answered.value ?? null });
    const { cause, outcome: happened, retryable, retryAfter } = answered.error;
    if (onError !== undefined) callHook(onError, { operation: name, cause });
    return json(503, { unavailable: { outcome: happened, retryable, retryAfter } });
  }
  return {
    handle,
    sendFailed({ target }, _failed, cause) {
      const operation = target.slice(path.length + 1);
      if (onError !== undefined) callHook(onError, { operation, cause });
      const outcome = isOperation(operation) ? outcomeOf(operation) : 'none';
      return json(503, { unavailable: { outcome, retryable: true } });
    },
  };
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

function refusal(code: keyof typeof refusals): HttpResponse {
  const [status, message] = refusals[code];
  return json(status, { code, message });
}

function json(status: number, body: object): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
