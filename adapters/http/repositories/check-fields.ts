/** What an answer gives of a record. */
type Record = Readonly<{ [name: string]: unknown }>;

const isText = (value: unknown, max = Number.POSITIVE_INFINITY): boolean =>
  typeof value === 'string' &&
  value.length <= 2 * max &&
  hasAtMost(value, max) &&
  sound.test(value);

/** Not empty, no NUL, no lone surrogate. */
const sound = /^[^\0\p{Cs}]+$/u;

/** Whether a text has so many characters at most: they are counted where its length leaves a doubt. */
const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || [...text].length <= max;

const isEmail = (value: unknown): boolean =>
  isText(value, 254) && /^[^@\s]+@[^@\s]+$/.test(`${value}`);

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** What more than text or an integer a field has to be, as far as the interface says it. */
const rules: Readonly<{ [name: string]: (value: unknown) => boolean }> = {
  api_version: (value) => value === '1.0' || value === '2.0',
  contractor_email: isEmail,
  currency: (value) => [...String(value)].length === 3,
  email_freelancer: isEmail,
  id: (value) => typeof value === 'string' || isId(value),
  partner_id: (value) => isText(value, 40),
  sha256: (value) => /^[0-9a-f]{64}$/.test(String(value)),
  size: (value) => Number(value) >= 0,
  stage_id: isId,
  title: (value) => isText(value, 200),
};

/**
 * Throws the name of the first field that is no value of the interface. A status may be any text: a
 * later version may add one.
 */
export function checkFields<T extends object>(record: T): T {
  for (const [name, value] of Object.entries(record as Record)) {
    const isSound = typeof value !== 'string' || isText(value);
    if (!isSound || rules[name]?.(value) === false) throw new TypeError(name);
  }
  return record;
}
