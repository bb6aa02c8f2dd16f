import { isIdempotencyKey } from 'dealwright';
import { err, type Result } from 'neverthrow';
import type { Route } from '../wire/routes.js';
import { type Attempts, makeAttempts } from './attempts.js';
import { type CallSettings, readCall } from './call-settings.js';
import type { ClientUploadOptions } from './client-api.js';
import type { Sendable } from './encode-upload.js';
import type { NoReply } from './exchange.js';
import { randomText } from './random-text.js';
import { type AnyError, aborted, plainError, readReply } from './read-reply.js';
import type { Settings } from './settings.js';

/** What a call asks for. */
export interface Asked {
  readonly route: Route;
  /** With what is put into it; nothing where it names what cannot be. */
  readonly path: string | undefined;
  /** What is sent with it; nothing where that is too large. */
  readonly encode?: (call: CallSettings) => Encoded | Promise<Encoded>;
}

type Encoded = Sendable | undefined;

/** Makes a call: one attempt, and more where that is safe and of use. It never rejects. */
export async function makeCall(
  settings: Settings,
  { route, path, encode = () => ({}) }: Asked,
  given: ClientUploadOptions | undefined,
): Promise<Result<unknown, AnyError>> {
  const { token: secret, base, makeKeys } = settings;
  const isWrite = route.method === 'POST';
  const call = readCall(settings, route, given);
  const { language, key: ownKey, signal } = call;
  const facts = { route, language, hasOwnKey: ownKey !== undefined, secret, base };
  if (ownKey !== undefined && !isIdempotencyKey(ownKey)) {
    return err(plainError('invalid_idempotency_key', facts));
  }
  if (path === undefined) return err(plainError('not_found', facts));
  const key = ownKey ?? (isWrite && makeKeys ? randomText() : undefined);

  let stop = () => {};
  const stopped = new Promise<NoReply>((resolve) => {
    stop = () => resolve({ sent: true, reason: 'aborted' });
  });
  let hasLeft = false;
  try {
    signal?.addEventListener('abort', stop);
    const encoding = async (): Promise<Encoded> => encode(call);
    const sendable = await Promise.race([encoding(), stopped]);
    if (signal?.aborted || (sendable !== undefined && 'reason' in sendable)) {
      return err(aborted(facts, false, signal));
    }
    if (sendable === undefined) return readReply(tooLarge, facts);
    hasLeft = true;
    const attempts: Attempts = { settings, facts, call, key, path, sendable, stopped };
    return await makeAttempts(attempts);
  } catch {
    // something injected broke its promise
    return readReply({ ...clientFailed, sent: hasLeft }, facts);
  } finally {
    signal?.removeEventListener?.('abort', stop);
  }
}

const tooLarge = { sent: false, retryable: false, reason: 'the input is too large' };
const clientFailed = { retryable: false, reason: 'the client failed' };
