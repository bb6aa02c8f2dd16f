import { isPaymentToken } from 'dealwright';
import type { Clock } from 'dealwright/ports';

/** What one request came to: a token, or why there is none and whether to ask again. */
export type Exchange = { readonly token: string } | ExchangeFailure;

export interface ExchangeFailure {
  readonly reason: RemoteFailureReason;
  readonly status?: number;
  readonly again: boolean;
  /** Seconds, as the service asked for. */
  readonly retryAfter?: number;
}

/**
 * Why a remote service gave no token.
 *
 * @example
 * ```ts
 * import type { RemoteFailureReason } from 'dealwright/tokens';
 *
 * const reason: RemoteFailureReason = 'timed_out';
 * ```
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
export async function readAnswer(response: Response, clock: Clock): Promise<Exchange> {
  const { status } = response;
  if (status !== 200 && status !== 201) {
    void response.body?.cancel().catch(() => {});
    return refusal(response, clock);
  }
  const text = await readBounded(response);
  if (text === undefined) return { reason: 'answer_too_large', status, again: false };
  const token = tokenOf(text);
  return token === undefined ? { reason: 'malformed_answer', status, again: false } : { token };
}

function refusal({ status, headers }: Response, clock: Clock): ExchangeFailure {
  // a browser shows a redirect that it does not follow as status 0
  if (status === 0 || (status >= 300 && status < 400)) {
    return { reason: 'redirected', status, again: false };
  }
  const again = status === 429 || status >= 500;
  const retryAfter = again ? readRetryAfter(headers.get('retry-after'), clock) : undefined;
  return { reason: 'status', status, again, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** Seconds or a date (RFC 9110, section 10.2.3); what is neither says nothing. */
function readRetryAfter(value: string | null, clock: Clock): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!value.endsWith('GMT')) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - clock.now()) / 1000));
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

function tokenOf(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const { payment_token: token } = Object(answer) as { readonly payment_token?: unknown };
    return isPaymentToken(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
