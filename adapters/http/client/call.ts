import { isIdempotencyKey } from 'dealwright';
import { err, type Result } from 'neverthrow';
import type { Route } from '../wire/routes.js';
import { makeAttempts } from './attempts.js';
import { type Call, readCall } from './call-settings.js';
import type { ClientUploadOptions } from './client-api.js';
import type { Sendable } from './encode-upload.js';
import type { NoReply } from './exchange.js';
import { randomText } from './random-text.js';
import { type AnyError, aborted, plainError, unanswered } from './read-reply.js';
import type { Settings } from './settings.js';

/** What a call asks for. */
export interface Asked {
  readonly route: Route;
  /** With what is put into it; nothing where it names what cannot be. */
  readonly path: string | undefined;
  /** What is sent with it; nothing where that is too large. */
  readonly encode?: (call: Call) => Sendable | undefined;
}

/** Makes a call: one attempt, and more where that is safe and of use. It never rejects. */
export async function makeCall(
  settings: Settings,
  { route, path, encode = () => ({}) }: Asked,
  given: ClientUploadOptions | undefined,
): Promise<Result<unknown, AnyError>> {
  const call = readCall(settings, route, given);
  const { key: ownKey, signal } = call;
  if (ownKey !== undefined && !isIdempotencyKey(ownKey)) {
    return err(plainError('invalid_idempotency_key', call));
  }
  if (path === undefined) return err(plainError('not_found', call));
  const makesKey = route.method === 'POST' && settings.makeKeys;
  const key = ownKey ?? (makesKey ? randomText() : undefined);

  let stop = () => {};
  const stopped = new Promise<NoReply>((resolve) => {
    stop = () => resolve({ sent: true, reason: 'aborted' });
  });
  let sent = false;
  try {
    signal?.addEventListener('abort', stop);
    // nothing leaves in the turn of the call: it may be aborted in the same one
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
