import { isPaymentToken } from 'dealwright';
import { type PaymentTokenVerdict, parseRetryAfter, type Timer } from 'dealwright/ports';

/** What one request came to: what was asked for, or why there is none and whether to ask again. */
export type Exchange<T> = { readonly value: T } | ExchangeFailure;

/** The answer that a request is for. */
export interface Expected<T> {
  readonly statuses: readonly number[];
  /** What the JSON says, or `undefined` where it does not say it. */
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

export interface ExchangeFailure {
  readonly reason: RemoteFailureReason;
  readonly status?: number;
  readonly again: boolean;
  /** Seconds, as the service asked for. */
  readonly retryAfter?: number;
}

/**
 * Why a remote service gave no token, or no verdict on one.
 */
export type RemoteFailureReason =
  | 'network'
  | 'timed_out'
  | 'status'
  | 'redirected'
  | 'answer_too_large'
  | 'malformed_answer';

/** A token, its JSON and room to spare. */
const maxAnswerBytes = 16 * 1024;

/** Reads an answer of the service; the body of one that is no success is not looked at. */
export async function readAnswer<T>(
  response: Response,
  { statuses, read }: Expected<T>,
  timer: Timer,
): Promise<Exchange<T>> {
  const { status } = response;
  if (!statuses.includes(status)) {
    void response.body?.cancel().catch(() => {});
    return refusal(response, timer);
  }
  const text = await readBounded(response);
  if (text === undefined) return { reason: 'answer_too_large', status, again: false };
  const value = read(parseObject(text));
  return value === undefined ? { reason: 'malformed_answer', status, again: false } : { value };
}

function refusal({ status, headers }: Response, timer: Timer): ExchangeFailure {
  // a browser shows a redirect that it does not follow as status 0
  if (status === 0 || (status >= 300 && status < 400)) {
    return { reason: 'redirected', status, again: false };
  }
  const again = status === 429 || status >= 500;
  const retryAfter = again ? parseRetryAfter(headers.get('retry-after'), timer.now()) : undefined;
  return { reason: 'status', status, again, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

async function readBounded(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxAnswerBytes) {
      void reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
