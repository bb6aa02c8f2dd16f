/** Says whether it is a whole number of seconds above 0, or missing. */
export const isLifetime = (lifetime: unknown): boolean =>
  lifetime === undefined || (Number.isSafeInteger(lifetime) && Number(lifetime) > 0);
