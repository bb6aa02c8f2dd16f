import { isIdempotencyKey } from 'dealwright';
import { err, type Result } from 'neverthrow';
import { within } from '../../shared/timer.js';
import type { Route } from '../wire/route.js';
import { callHook } from '../wire/route.js';
import type { ClientUploadOptions } from './client-api.js';
import { randomText, type Sendable } from './encode-upload.js';
import { exchange, isRepeatable, type NoReply, type Reply, type Sending } from './exchange.js';
import {
  type AnyError,
  aborted,
  afterSilence,
  idOf,
  notFound,
  plainError,
  readReply,
  unanswered,
  unreadable,
} from './read-reply.js';
import type { Settings } from './settings.js';
import { type Call, readCall } from './settings.js';

/**
 * Makes a call: one attempt, and more if that is safe and of use. It never rejects. `path` is
 * `undefined` if an argument cannot be a name; so is the result of `encode` for too large an input.
 */
export async function makeCall(
  settings: Settings,
  route: Route,
  path: string | undefined,
  given: ClientUploadOptions | undefined,
  encode: (call: Call) => Sendable | undefined,
): Promise<Result<unknown, AnyError>> {
  const call = readCall(settings, route, given);
  const { key: ownKey, signal } = call;
  if (ownKey !== undefined && !isIdempotencyKey(ownKey)) {
    return err(plainError('invalid_idempotency_key', call));
  }
  if (path === undefined) return err(notFound(call));
  const makesKey = route.keyed && settings.makeKeys;
  const key = ownKey ?? (makesKey ? randomText() : undefined);

  let stop = () => {};
  const stopped = new Promise<NoReply>((resolve) => {
    stop = () => resolve({ sent: true, reason: 'aborted' });
  });
  let sent = false;
  try {
    signal?.addEventListener('abort', stop);
    // nothing is sent in the turn of the call: the caller may abort it in the same turn
    const sendable = await encode(call);
    if (signal?.aborted) return err(aborted(call, false));
    if (sendable === undefined) {
      return err(unanswered(call, { sent, retryable: false, reason: 'the input is too large' }));
    }
    sent = true;
    return await makeAttempts({ call, key, path, sendable, stopped });
  } catch {
    // something injected broke its promise
    return err(unanswered(call, { sent, retryable: false, reason: 'the client failed' }));
  } finally {
    signal?.removeEventListener?.('abort', stop);
  }
}

/** Sends a call until its answer is final, or until another attempt is of no use or not safe. */
async function makeAttempts(sending: Sending): Promise<Result<unknown, AnyError>> {
  const { call, key, sendable, stopped } = sending;
  const { timer, attempts, closing } = call.settings;
  // whether an attempt without an answer may have had its effect
  let isInDoubt = false;
  let isRedirected = false;
  for (let attempt = 1; ; attempt += 1) {
    const begun = timer.now();
    const reply = await exchange(sending);
    report(call, attempt, timer.now() - begun, reply);
    const isAnswered = 'status' in reply;
    if (isAnswered && reply.wants !== undefined) {
      closing.isSent = reply.wants.isSent;
      // once in a call: both forms may redirect to each other
      if (!isRedirected && !sendable.isSpent?.()) {
        isRedirected = true;
        attempt -= 1;
        continue;
      }
    }
    if (isAnswered) sendable.close?.();
    else if (call.signal?.aborted) return err(aborted(call, true));

    const broken = sendable.broken?.();
    const isBroken = broken && (!isAnswered || reply.status === 400);
    const result = isBroken
      ? err(unreadable(call, broken.cause))
      : readReply(reply, call, sendable.unsaid);
    if (result.isOk()) return result;
    const id = isAnswered ? idOf(call, reply.requestId, reply.said?.['request_id']) : {};
    const error: AnyError = { ...result.error, ...id };
    const pause = attempt < attempts ? pauseAfter(error, attempt, call, key) : undefined;
    if (pause === undefined || sendable.isSpent?.()) {
      return err(isInDoubt ? afterSilence(error, call) : error);
    }
    if ('outcome' in error && error.outcome === 'unknown') isInDoubt = true;
    if ((await within(timer, pause, () => undefined, stopped)) !== undefined) {
      return err(aborted(call, isInDoubt));
    }
  }
}

/** Milliseconds to wait before the next attempt, or `undefined` if there is none. */
function pauseAfter(
  error: AnyError,
  attempt: number,
  call: Call,
  key: string | undefined,
): number | undefined {
  const { retryBase, retryCap, maxRetryAfter, random } = call.settings;
  const isPassing =
    error.code === 'rate_limited' ||
    (error.code === 'unavailable' &&
      error.retryable &&
      (error.outcome === 'none' || isRepeatable(call, key)));
  if (!isPassing) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > maxRetryAfter) return undefined;
  // without jitter, all clients would come back at the same time
  return retryAfter * 1000 + random() * Math.min(retryCap, retryBase * 2 ** (attempt - 1));
}

/** Reports an attempt to the host, without anything that may be secret. */
function report(call: Call, attempt: number, duration: number, reply: Reply | NoReply): void {
  const { onExchange } = call.settings;
  if (onExchange === undefined) return;
  const { operation, method, path: route } = call.route;
  // nothing of the body: it may repeat any input
  const end =
    'status' in reply
      ? { status: reply.status, ...idOf(call, reply.requestId) }
      : { failure: reply.reason };
  callHook(onExchange, { operation, method, route, attempt, duration, ...end });
}
