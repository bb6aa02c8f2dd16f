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
