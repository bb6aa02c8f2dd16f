/** Options as a host gives them. */
export type Given = Readonly<Record<string, unknown>>;

/** Rules by the sentence for a broken one. */
export type Rules<T> = Readonly<Record<string, (options: T) => boolean>>;

/** Says whether a value is an object with members. */
export function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The rules that are broken. */
export function broken<T>(rules: Rules<T>, options: T): string[] {
  return Object.keys(rules).filter((says) => rules[says]?.(options) !== true);
}

/** The given options that do not exist. */
export function unknownNames(given: unknown, known: readonly string[]): string[] {
  return Object.keys(Object(given)).filter((name) => !known.includes(name));
}

/** Throws a `TypeError` with every mistake. */
export function refuseMistakes(who: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new TypeError(`${who}: ${mistakes.join('; ')}`);
}
