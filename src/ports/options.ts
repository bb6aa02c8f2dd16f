/** Rules of options, in words, and whether the given options follow each. */
export type OptionRules = Readonly<Record<string, boolean>>;

/**
 * Throws a `TypeError` with every broken rule: `createQueue: size is an integer above 0; ...`. A
 * rule says which option it is about and what is allowed; give it no value, which may be a secret.
 *
 * @example
 * ```ts
 * import { checkOptions, onlyNames } from 'dealwright/ports';
 *
 * export function createQueue(options: { readonly size?: number } = {}) {
 *   const { size = 100 } = Object(options) as typeof options;
 *   checkOptions('createQueue', {
 *     ...onlyNames('options', options, ['size']),
 *     'size is an integer above 0': Number.isSafeInteger(size) && size > 0,
 *   });
 *   return { size };
 * }
 * ```
 */
export function checkOptions(who: string, rules: OptionRules): void {
  const broken = Object.keys(rules).filter((rule) => !rules[rule]);
  if (broken.length > 0) throw new TypeError(`${who}: ${broken.join('; ')}`);
}

/**
 * The rule that options are an object, and have no other names: an option whose name is misspelt
 * would be ignored. `of` is the word for the object in a message.
 *
 * @example
 * ```ts
 * import { checkOptions, onlyNames } from 'dealwright/ports';
 *
 * // throws: createQueue: options has no 'sice', it takes size, timer
 * const check = () => checkOptions('createQueue', onlyNames('options', { sice: 5 }, ['size', 'timer']));
 * ```
 */
export function onlyNames(of: string, given: unknown, names: readonly string[]): OptionRules {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const others = isObject ? Object.keys(given).filter((name) => !names.includes(name)) : [];
  const rule = others.length > 0 ? `has no '${others.join("', '")}', it` : 'is an object that';
  return { [`${of} ${rule} takes ${names.join(', ')}`]: isObject && others.length === 0 };
}
