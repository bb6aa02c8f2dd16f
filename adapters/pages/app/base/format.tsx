import { language } from './language.js';

/** The browser's own variant of the language: its dates and numbers are those of the reader. */
const locale = (): string =>
  navigator.languages.find((each) => each.startsWith(language.value)) ?? language.value;

/** An amount of money, exactly: a number could not hold its eighteen digits. */
export function money(amount: string, currency: string): string {
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const exact = amount as Intl.StringNumericLiteral;
  try {
    const style = { style: 'currency', currency } as const;
    return new Intl.NumberFormat(locale(), { ...style, ...decimals }).format(exact);
  } catch {
    // version 1.0 takes any three characters as a currency
    return `${new Intl.NumberFormat(locale(), decimals).format(exact)} ${currency}`;
  }
}

/** Several things in a row, as a sentence has them. */
export const listed = (all: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(all);

/** A day such as `2027-01-31`, which is one of UTC, or the day of a moment. */
export function day(text: string): string {
  const isDay = text.length === 10;
  return new Intl.DateTimeFormat(locale(), {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...(isDay && { timeZone: 'UTC' }),
  }).format(new Date(text));
}

/** A moment with its time: an end is seldom that of a day. */
export const moment = (at: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at));

export function size(bytes: number): string {
  const at = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : 2;
  const unit = ['byte', 'kilobyte', 'megabyte'][at] ?? 'byte';
  return new Intl.NumberFormat(locale(), {
    ...{ style: 'unit', unit, unitDisplay: at === 0 ? 'long' : 'short', maximumFractionDigits: 1 },
  } as Intl.NumberFormatOptions).format(bytes / 1000 ** at);
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function relative(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const [unit, length] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 0];
  if (Math.abs(seconds) >= 30 * 86_400) return day(at.toISOString());
  return format.format(length === 0 ? 0 : Math.round(seconds / length), unit);
}

/** A moment in relative words; the exact one is shown on hover and in print. */
export function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={moment(at)}>
      {relative(date)}
    </time>
  );
}
