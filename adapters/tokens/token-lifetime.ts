/** Throws a `TypeError` for a lifetime that is not a whole number of seconds above 0. */
export function checkLifetime(who: string, lifetime: number | undefined): void {
  if (lifetime === undefined) return;
  if (!Number.isSafeInteger(lifetime) || lifetime <= 0) {
    throw new TypeError(`${who}: lifetime is a whole number of seconds above 0, not ${lifetime}`);
  }
}
