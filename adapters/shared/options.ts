import type { Timer } from 'dealwright/ports';

/** The longest wait of a timer of a runtime: a longer one fires at once. */
export const longestWait = 2 ** 31 - 1;

export const isInteger = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

export const isTimeout = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= longestWait;

export const isPause = (value: unknown): boolean => value === 0 || isTimeout(value);

export const isTimer = (timer: Timer | undefined): boolean =>
  typeof timer?.now === 'function' && typeof timer.sleep === 'function';

/** Visible ASCII characters, and at least one. */
export const isVisible = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

/** The URL, if it is an absolute one of HTTP without a user name and password. */
export function plainUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === ''
    ? url
    : undefined;
}

/** Says whether it is a whole number of seconds above 0, or missing. */
export const isLifetime = (lifetime: unknown): boolean =>
  lifetime === undefined || (Number.isSafeInteger(lifetime) && Number(lifetime) > 0);
