import * as v from 'valibot';
import { rule } from './rule.js';

/** RFC 3339, section 5.6, `date-time`. */
const form =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 date-time (section 5.6), or `undefined` if the text is
 * not one. A fraction of a millisecond is rounded up, since stored times have no fractions; a leap
 * second is the first second of the next minute.
 *
 * @example
 * ```ts
 * import { parseTimestamp } from 'dealwright/ports';
 *
 * parseTimestamp('1970-01-01T01:00:00+01:00'); // 0
 * ```
 */
export function parseTimestamp(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const part = (at: number): number => Number(match[at] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 60 || part(9) > 23 || part(10) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const [, thousandths = '', rest = ''] = /^(\d{0,3})(\d*)$/.exec(match[7] ?? '') ?? [];
  const fraction = Number(thousandths.padEnd(3, '0')) + (/[1-9]/.test(rest) ? 1 : 0);
  const offset = (part(9) * 60 + part(10)) * (match[8] === '-' ? -60_000 : 60_000);
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset;
}

/** The first and the last moment that RFC 3339 can write in UTC. */
const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999];

/**
 * RFC 3339 in UTC with milliseconds, as stored times are: text that sorts as the time does. A time
 * that it cannot write becomes the nearest one that it can.
 *
 * @example
 * ```ts
 * import { formatTimestamp } from 'dealwright/ports';
 *
 * formatTimestamp(0); // '1970-01-01T00:00:00.000Z'
 * ```
 */
export function formatTimestamp(milliseconds: number): string {
  return new Date(Math.min(Math.max(milliseconds, earliest), latest)).toISOString();
}

/**
 * When a task is due that waits for no time, because it was not tried yet: at once, even if the
 * clock goes back after it was recorded, or another process has another clock.
 */
export const atOnce = formatTimestamp(earliest);

/** When a task is tried next, as it is shown: one that is due at once, since it was recorded. */
export function nextAttempt(task: {
  readonly due_at: string | null;
  readonly created_at: string;
}): string | null {
  return task.due_at === atOnce ? task.created_at : task.due_at;
}

/** A time a number of milliseconds later. */
export function movedBy(time: string, milliseconds: number): string {
  return milliseconds === 0 ? time : formatTimestamp((parseTimestamp(time) ?? 0) + milliseconds);
}

/** The end of a range that has this time too, in the order of text. */
export function afterTime(time: string): string {
  return `${time}~`;
}

const written = '2026-01-01T00:00:00.000Z';

/**
 * Makes a function that writes times as RFC 3339 in UTC with milliseconds, or returns `undefined`
 * for a time that RFC 3339 cannot write. It makes the text once for each millisecond.
 */
export function createTimestampFormat(): (milliseconds: number) => string | undefined {
  let last = Number.NaN;
  let text: string | undefined;
  return (milliseconds) => {
    if (milliseconds !== last) {
      const made = new Date(milliseconds).toISOString();
      // before the year 0 and after 9999 the notation is different
      text = typeof milliseconds === 'number' && made.length === written.length ? made : undefined;
      last = milliseconds;
    }
    return text;
  };
}

/**
 * An RFC 3339 date-time, as text in UTC, to compare with stored times.
 *
 * @internal
 */
export function timestamp() {
  return v.pipe(
    v.string(),
    rule('invalid_timestamp', (value: string) => parseTimestamp(value) !== undefined, {}),
    v.transform((value) => formatTimestamp(parseTimestamp(value) ?? 0)),
  );
}
