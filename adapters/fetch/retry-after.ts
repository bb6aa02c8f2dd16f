/**
 * The seconds that a header `Retry-After` asks a caller to wait; nothing where it says neither
 * seconds nor a date (RFC 9110, section 10.2.3). `now` is in milliseconds.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
