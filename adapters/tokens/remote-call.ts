import { unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  type Exchange,
  type ExchangeFailure,
  type Expected,
  type RemoteFailureReason,
  readAnswer,
} from './remote-exchange.js';
import type { Settings } from './remote-settings.js';

/**
 * The `cause` of an issuer that got no token, or no verdict. It holds no secret, no token and no address.
 */
export interface RemoteFailure {
  readonly reason: RemoteFailureReason;
  /** The HTTP status of the last answer, where there was one. */
  readonly status?: number;
  /** How often the service was asked. */
  readonly attempts: number;
}

/** The longest pause before the second attempt; it doubles with each. */
const firstPause = 100;

/** What is asked, where, and what for. */
export interface Question<T> {
  readonly url: string;
  readonly request: RequestInit;
  readonly expected: Expected<T>;
}

/** Asks attempt by attempt, until there is an answer or no further attempt. */
export async function askUntilAnswered<T>(settings: Settings, question: Question<T>) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(settings, question);
    if ('value' in answer) return ok(answer.value);
    const pause = pauseAfter(settings, attempt, answer);
    if (pause === undefined) return failed(answer, attempt);
    await new Promise<void>((wake) => settings.timer.sleep(pause, wake));
  }
}

/** Milliseconds, or `undefined` where there is no further attempt. */
function pauseAfter(
  { attempts, maxPause, random }: Settings,
  attempt: number,
  { again, retryAfter }: ExchangeFailure,
): number | undefined {
  if (!again || attempt === attempts) return undefined;
  if (retryAfter !== undefined && retryAfter * 1000 > maxPause) return undefined;
  const longest = Math.min(maxPause, firstPause * 2 ** (attempt - 1));
  return Math.max(random() * longest, (retryAfter ?? 0) * 1000);
}

/** One attempt: it is settled when its time is over, whatever `fetch` makes of the signal. */
function askOnce<T>({ fetch, timer, timeout }: Settings, { url, request, expected }: Question<T>) {
  return new Promise<Exchange<T>>((resolve) => {
    const control = new AbortController();
    const cancel = timer.sleep(timeout, () => {
      resolve({ reason: 'timed_out', again: true });
      control.abort();
    });
    const finish = (answer: Exchange<T>) => {
      resolve(answer);
      cancel();
    };
    const ask = async () =>
      readAnswer(await fetch(url, { ...request, signal: control.signal }), expected, timer);
    // the error of a fetch may name the address and the headers: it is not passed on
    ask()
      .then(finish, () => finish({ reason: 'network', again: true }))
      // a timer that cannot be cancelled wakes a settled promise: no harm
      .catch(() => {});
  });
}

function failed({ reason, status, again, retryAfter }: ExchangeFailure, attempts: number) {
  const cause: RemoteFailure = Object.freeze({
    reason,
    ...(status === undefined ? {} : { status }),
    attempts,
  });
  return unavailable({
    outcome: 'none',
    retryable: again,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  });
}
