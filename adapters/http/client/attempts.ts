import { err, type Result } from 'neverthrow';
import { callHook } from '../wire/hooks.js';
import type { CallSettings } from './call-settings.js';
import type { Sendable } from './encode-upload.js';
import { exchange, type NoReply, type Reply } from './exchange.js';
import {
  type AnyError,
  aborted,
  afterSilence,
  type CallFacts,
  readReply,
  requestIdOf,
  unreadable,
} from './read-reply.js';
import type { Settings } from './settings.js';
import { within } from './within.js';

/** A call that is ready to be sent. */
export interface Attempts {
  readonly settings: Settings;
  readonly facts: CallFacts;
  readonly call: CallSettings;
  /** The caller's or ours. */
  readonly key: string | undefined;
  readonly path: string;
  readonly sendable: Sendable;
  /** Resolves when the caller calls it off. */
  readonly stopped: Promise<NoReply>;
}

/** Sends a call until it is answered for good, or to send it again is of no use or not safe. */
export async function makeAttempts({
  settings,
  facts,
  call,
  key,
  path,
  sendable,
  stopped,
}: Attempts): Promise<Result<unknown, AnyError>> {
  const { base, timer, fetch } = settings;
  const { route } = facts;
  const headers: Record<string, string> = {
    ...settings.headers,
    Authorization: `Token ${settings.token}`,
    Accept: 'application/json',
    'Accept-Language': call.language,
  };
  if (sendable.type !== undefined) headers['Content-Type'] = sendable.type;
  if (key !== undefined) headers['Idempotency-Key'] = key;

  // whether an attempt that was not answered may have had its effect
  let isInDoubt = false;
  for (let attempt = 1; ; attempt += 1) {
    const begun = timer.now();
    const { open } = sendable;
    const reply = await exchange(
      fetch,
      base + path,
      route,
      headers,
      open,
      timer,
      call.timeout,
      stopped,
    );
    report(settings, facts, attempt, timer.now() - begun, reply);
    const isAnswered = 'status' in reply;
    if (isAnswered) sendable.close?.();
    else if (call.signal?.aborted) return err(aborted(facts, true, call.signal));

    const broken = sendable.broken?.();
    const isBroken = broken && (!isAnswered || reply.status === 400);
    const result = isBroken
      ? unreadable(facts, broken.cause)
      : readReply(reply, facts, sendable.unsaid);
    if (result.isOk()) return result;
    const error: AnyError = Object.freeze({ ...result.error, ...requestIdOf(reply, facts) });
    const pause =
      attempt < settings.attempts ? pauseAfter(error, attempt, settings, key) : undefined;
    if (pause === undefined || sendable.isSpent?.()) {
      return err(isInDoubt ? afterSilence(error, facts) : error);
    }
    if ('outcome' in error && error.outcome === 'unknown') isInDoubt = true;
    if ((await within(timer, pause, undefined, stopped)) !== undefined) {
      return err(aborted(facts, isInDoubt, call.signal));
    }
  }
}

/** Milliseconds to wait before the next attempt, or nothing where there is to be none. */
function pauseAfter(
  error: AnyError,
  attempt: number,
  { retryBase, retryCap, maxRetryAfter, random }: Settings,
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
function report(
  { onExchange }: Settings,
  facts: CallFacts,
  attempt: number,
  duration: number,
  reply: Reply | NoReply,
): void {
  if (onExchange === undefined) return;
  const { operation, method, path } = facts.route;
  const end =
    'status' in reply
      ? // of the body nothing: it may repeat anything
        { status: reply.status, ...requestIdOf({ ...reply, body: 'unreadable' }, facts) }
      : { failure: reply.reason };
  callHook(onExchange, { operation, method, route: path, attempt, duration, ...end });
}
