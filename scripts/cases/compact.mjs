// @ts-check
// Long texts in short form: `{ "$repeat": [text, count] }`, and `{ "$join": [part, ...] }`.

/** @typedef {{ readonly $repeat: readonly [text: string, count: number] }} Repeat */
/** @typedef {{ readonly $join: readonly (string | Repeat)[] }} Join */

/** The longest text that is written in full. */
const longestText = 60;

/**
 * A text that is `text` so many times, after `start`: in short form if it is long.
 *
 * @param {string} text
 * @param {number} count
 * @param {string} [start]
 * @returns {string | Repeat | Join}
 */
export function repeated(text, count, start = '') {
  const whole = start + text.repeat(count);
  if ([...whole].length <= longestText) return whole;
  return start === '' ? { $repeat: [text, count] } : { $join: [start, { $repeat: [text, count] }] };
}

/**
 * A value of a case as it is sent.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function expand(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(expand);
  if ('$repeat' in value) {
    const [text, count] = /** @type {Repeat} */ (value).$repeat;
    return text.repeat(count);
  }
  if ('$join' in value) return /** @type {Join} */ (value).$join.map(expand).join('');
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expand(each)]));
}
