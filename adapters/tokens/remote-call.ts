import { isPaymentToken } from 'dealwright';
import { type PaymentTokenVerdict, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { isPassing, readBounded, refusalOf } from '../shared/response.js';
import { answerWithin } from '../shared/timer.js';
import type { Settings } from './remote-settings.js';
import { parseObject } from './token-tenant.js';

/** Why a remote service gave no token, or no verdict on one. */
export type RemoteFailureReason =
  | 'network'
  | 'timed_out'
  | 'status'
  | 'redirected'
  | 'answer_too_large'
  | 'malformed_answer';

/**
 * The `cause` of an issuer that got no token, or no verdict. It contains no secret, no token and no
 * address.
 */
export interface RemoteFailure {
  readonly reason: RemoteFailureReason;
  /** The HTTP status of the last answer, if there was one. */
  readonly status?: number;
  /** How often the service was asked. */
  readonly attempts: number;
}

/** The answer that a request is for. */
export interface Expected<T> {
  readonly statuses: readonly number[];
  /** The value in the JSON, or `undefined` if it is missing. */
  read(answer: Readonly<Record<string, unknown>>): T | undefined;
}

export const issuedToken: Expected<string> = {
  statuses: [200, 201],
  read: ({ payment_token: token }) => (isPaymentToken(token) ? token : undefined),
};

export const givenVerdict: Expected<PaymentTokenVerdict> = {
  statuses: [200],
  read: ({ verdict }) =>
    verdict === 'valid' || verdict === 'expired' || verdict === 'invalid' ? verdict : undefined,
};

interface Failure extends Omit<RemoteFailure, 'attempts'> {
  /** Seconds that the service asks to wait. */
  readonly retryAfter?: number;
}

/** The longest pause before the second attempt, in milliseconds; it doubles with each. */
const firstPause = 100;
/** A token, its JSON and room to spare. */
const maxAnswerBytes = 16 * 1024;

/** Asks until there is an answer, or no further attempt. */
export async function askUntilAnswered<T>(
  settings: Settings,
  url: string,
  request: RequestInit,
  expected: Expected<T>,
) {
  const { attempts, maxPause, random, timer, fetch } = settings;
  for (let attempt = 1; ; attempt += 1) {
    const control = new AbortController();
    const answer = await answerWithin(settings, control, async () =>
      readAnswer(await fetch(url, { ...request, signal: control.signal }), expected, settings),
    );
    if (answer.isOk()) return ok(answer.value);
    const { retryAfter: asked, ...failure }: Failure = answer.error;
    const retryable = isPassing(failure);
    const retryAfter = retryable ? asked : undefined;
    const shortest = (retryAfter ?? 0) * 1000;
    if (!retryable || attempt === attempts || shortest > maxPause) {
      return unavailable({
        outcome: 'none',
        retryable,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        cause: Object.freeze<RemoteFailure>({ ...failure, attempts: attempt }),
      });
    }
    const longest = Math.min(maxPause, firstPause * 2 ** (attempt - 1));
    const pause = Math.max(random() * longest, shortest);
    await new Promise<void>((wake) => timer.sleep(pause, wake));
  }
}

/** Reads an answer of the service; the body of one that is not a success is not read. */
async function readAnswer<T>(
  response: Response,
  { statuses, read }: Expected<T>,
  { timer }: Settings,
): Promise<Result<T, Failure>> {
  const { status } = response;
  if (!statuses.includes(status)) {
    void response.body?.cancel().catch(() => {});
    return err(refusalOf(response, timer));
  }
  const text = await readBounded(response, maxAnswerBytes);
  if (text === undefined) return err({ reason: 'answer_too_large', status });
  const value = read(parseObject(text));
  return value === undefined ? err({ reason: 'malformed_answer', status }) : ok(value);
}
