/** Options as a host gives them. */
export type Given = Readonly<Record<string, unknown>>;

/** By what is said where it does not hold. */
export type Rules<T> = Readonly<Record<string, (options: T) => boolean>>;

/** Says whether a value is an object with members. */
export function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Which rules do not hold. */
export function broken<T>(rules: Rules<T>, options: T): string[] {
  return Object.keys(rules).filter((says) => rules[says]?.(options) !== true);
}

/** Which of the given options do not exist. */
export function unknownNames(given: unknown, known: readonly string[]): string[] {
  return Object.keys(Object(given)).filter((name) => !known.includes(name));
}

/** Throws a `TypeError` that says every mistake. */
export function refuseMistakes(who: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new TypeError(`${who}: ${mistakes.join('; ')}`);
}
