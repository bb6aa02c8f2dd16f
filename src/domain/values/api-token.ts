import { hasAtLeast, hasAtMost, isStorableText } from './rule.js';
import { formatTimestamp, parseTimestamp } from './timestamp.js';

/** An API token as its partner and the operator see it: neither the token nor a digest of it. */
export interface ApiToken {
  /** 1 to 128 characters. */
  readonly name: string;
  /**
   * The first characters of the token, by which its holder recognises it: at most 8, and at most a
   * quarter of the token; `null` if they are not known.
   */
  readonly start: string | null;
  /** RFC 3339; `null` if it is not known. */
  readonly created_at: string | null;
  /** RFC 3339; `null` if it was never used, or if it is not known. */
  readonly last_used_at: string | null;
}

/** API tokens in a list. */
export const mostApiTokens = 1_000;

/** Says whether what a host lists is API tokens. */
export function areApiTokens(listed: readonly ApiToken[]): boolean {
  const isTime = (time: unknown) =>
    time === null || (typeof time === 'string' && parseTimestamp(time) !== undefined);
  return (
    Array.isArray(listed) &&
    listed.length <= mostApiTokens &&
    listed.every(
      ({ name, start, created_at, last_used_at }: ApiToken) =>
        isStorableText(name) &&
        hasAtLeast(name, 1) &&
        hasAtMost(name, 128) &&
        (start === null || (typeof start === 'string' && /^[\x21-\x7e]{1,8}$/.test(start))) &&
        isTime(created_at) &&
        isTime(last_used_at),
    )
  );
}

/** The token as it is shown: without other members that the host may have, with times in UTC. */
export function shownApiToken({ name, start, created_at, last_used_at }: ApiToken): ApiToken {
  const inUtc = (time: string | null) => time && formatTimestamp(parseTimestamp(time) ?? 0);
  return { name, start, created_at: inUtc(created_at), last_used_at: inUtc(last_used_at) };
}
