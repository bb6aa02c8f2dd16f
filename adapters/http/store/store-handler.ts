import type { Handler, HttpRequest, HttpResponse } from 'dealwright/http';
import { createPortGuard, type Store, type Timer } from 'dealwright/ports';
import * as v from 'valibot';
import { callHook } from '../wire/hooks.js';
import {
  type Calls,
  checkSecret,
  operations,
  refusals,
  version,
  versionHeader,
} from './protocol.js';
import { systemTimer } from './system-timer.js';

/** How a store is given over HTTP. */
export interface StoreHandlerOptions {
  /** Shared with the embedders: 16 to 1024 visible ASCII characters. */
  readonly secret: string;
  /** What stands before the names of methods in the path; default `/store`. */
  readonly path?: string;
  /** Bytes of a request; default 8 MiB. */
  readonly bodyLimit?: number;
  /** Milliseconds that the store has to answer; default 8,000. */
  readonly deadline?: number;
  /** Default: the runtime's own. */
  readonly timer?: Timer;
  /** Told why the store failed: the caller is not. */
  readonly onError?: (report: StoreErrorReport) => unknown;
}

/** A method of the store that failed. */
export interface StoreErrorReport {
  readonly operation: string;
  readonly cause: unknown;
}

/**
 * Gives a store to other services: the other end of `createHttpStore`. Mount it by
 * `createFetchHandler` of `dealwright/http` or `createNodeListener` of `dealwright/node`. Whoever has
 * the secret can read and write everything, so that it belongs into a trusted network or behind TLS.
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
  checkSecret('createStoreHandler', secret);
  const guard = createPortGuard(options.timer ?? systemTimer, options.deadline ?? 8_000);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    if (!isEqual(request.header('authorization') ?? '', `Bearer ${secret}`)) {
      return refusal('unauthorized');
    }
    const name = request.target.slice(path.length + 1);
    if (request.target !== `${path}/${name}` || !isOperation(name)) return refusal('not_found');
    if (request.method !== 'POST') return refusal('method_not_allowed');
    if (request.header(versionHeader) !== version) return refusal('version_mismatch');
    const body = await request.body(bodyLimit);
    if (body === 'too_large') return refusal('payload_too_large');
    const asked = body === 'aborted' ? undefined : readAsked(name, body);
    if (asked === undefined) return refusal('invalid_request');

    const { outcome, call } = operations[name] as Called;
    const answered = await guard(outcome, () => call(store, ...asked));
    if (answered.isOk()) return json(200, { ok: answered.value ?? null });
    const { cause, outcome: happened, retryable, retryAfter } = answered.error;
    if (onError !== undefined) callHook(onError, { operation: name, cause });
    return json(503, { unavailable: { outcome: happened, retryable, retryAfter } });
  }
  return { handle };
}

/** An operation that was asked for with parameters that fit it. */
interface Called {
  readonly outcome: 'none' | 'unknown';
  readonly call: (store: Store, ...asked: readonly unknown[]) => ReturnType<Store['tenants']>;
}

function isOperation(name: string): name is keyof Calls {
  return Object.hasOwn(operations, name);
}

function readAsked(name: keyof Calls, body: Uint8Array): readonly unknown[] | undefined {
  try {
    const given: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const { success, output } = v.safeParse(operations[name].asked, given, { abortEarly: true });
    return success ? (output as readonly unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

/** It takes as long wherever two texts differ. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at % expected.length);
  }
  return difference === 0;
}

function refusal(code: keyof typeof refusals): HttpResponse {
  const [status, message] = refusals[code];
  return json(status, { code, message });
}

function json(status: number, body: object): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
