import type { Timer } from 'dealwright/ports';

/** The facts of an answer that is not a success. */
export interface Refusal {
  readonly reason: 'redirected' | 'status';
  readonly status: number;
  /** Seconds that the service asks to wait. */
  readonly retryAfter?: number;
}

export function refusalOf({ status, headers }: Response, timer: Timer): Refusal {
  // a browser shows a redirect that it does not follow as status 0
  if (status === 0 || (status >= 300 && status < 400)) return { reason: 'redirected', status };
  const retryAfter = parseRetryAfter(headers.get('retry-after'), timer.now());
  return { reason: 'status', status, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/**
 * Whether the same request may succeed later: without an answer, and after 429, 5xx and `others`.
 */
export function isPassing(
  { reason, status = 0 }: { readonly reason: string; readonly status?: number },
  ...others: readonly number[]
): boolean {
  if (reason === 'status') return status === 429 || status >= 500 || others.includes(status);
  return reason === 'network' || reason === 'timed_out';
}

/** The text of an answer, or `undefined` if it has more bytes. */
export async function readBounded(response: Response, most: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      void reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * The seconds that a header `Retry-After` asks a caller to wait; `undefined` if it is neither
 * seconds nor a date (RFC 9110, section 10.2.3). `now` is in milliseconds.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // a date without a zone would be read in that of the machine
  const date = new Date(header.endsWith('GMT') ? header : Number.NaN);
  const seconds = Math.ceil((date.getTime() - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
