import { err, type Result } from 'neverthrow';
import { callHook } from '../wire/hooks.js';
import type { Call } from './call-settings.js';
import { exchange, type NoReply, type Reply, type Sending } from './exchange.js';
import { type AnyError, aborted, afterSilence, idOf, readReply, unreadable } from './read-reply.js';
import { within } from './within.js';

/** Sends a call until it is answered for good, or to send it again is of no use or not safe. */
export async function makeAttempts(sending: Sending): Promise<Result<unknown, AnyError>> {
  const { call, key, sendable, stopped } = sending;
  const { timer, attempts } = call.settings;
  // whether an attempt that was not answered may have had its effect
  let isInDoubt = false;
  for (let attempt = 1; ; attempt += 1) {
    const begun = timer.now();
    const reply = await exchange(sending);
    report(call, attempt, timer.now() - begun, reply);
    const isAnswered = 'status' in reply;
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
    if ((await within(timer, pause, undefined, stopped)) !== undefined) {
      return err(aborted(call, isInDoubt));
    }
  }
}

/** Milliseconds to wait before the next attempt, or nothing where there is to be none. */
function pauseAfter(
  error: AnyError,
  attempt: number,
  { settings: { retryBase, retryCap, maxRetryAfter, random } }: Call,
  key: string | undefined,
): number | undefined {
  const isPassing =
    error.code === 'rate_limited' ||
    (error.code === 'unavailable' &&
      error.retryable &&
      (key !== undefined || error.outcome === 'none'));
  if (!isPassing) return undefined;
  const { retryAfter = 0 } = error;
  if (retryAfter > maxRetryAfter) return undefined;
  // all who are told to come back at once would come at the same time
  return retryAfter * 1000 + random() * Math.min(retryCap, retryBase * 2 ** (attempt - 1));
}

/** Tells the host of an attempt; of what came back no more than can be no secret. */
function report(call: Call, attempt: number, duration: number, reply: Reply | NoReply): void {
  const { onExchange } = call.settings;
  if (onExchange === undefined) return;
  const { operation, method, path: route } = call.route;
  // of the body nothing: it may repeat anything
  const end =
    'status' in reply
      ? { status: reply.status, ...idOf(call, reply.requestId) }
      : { failure: reply.reason };
  callHook(onExchange, { operation, method, route, attempt, duration, ...end });
}
