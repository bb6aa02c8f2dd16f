/** Throws a `TypeError` for what is no lifetime: a whole number of seconds above 0, or none. */
export function checkLifetime(who: string, lifetime: number | undefined): void {
  if (lifetime === undefined) return;
  if (!Number.isSafeInteger(lifetime) || lifetime <= 0) {
    throw new TypeError(`${who}: lifetime is a whole number of seconds above 0, not ${lifetime}`);
  }
}
