/** The sum of two amounts, of which the second may have one more minus in front. */
export function plus(amount: string, other: string): string {
  const cents = minorUnits(amount) + minorUnits(other.replace(/^--/, ''));
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const sumOfAll = (amounts: readonly string[]): string => amounts.reduce(plus, '0.00');

/** The lesser of two amounts, of which the second is not below zero. */
export const least = (amount: string, other: string): string =>
  plus(amount, `-${other}`).startsWith('-') ? amount : other;

const minorUnits = (amount: string) => BigInt(amount.replace('.', ''));

/** A decimal comma is one, too, and spaces between the digits are for people. */
export const decimalOf = (text: string) => text.replace(/\s/g, '').replace(',', '.');

/** Text that is no number goes as it is: the service says what is wrong with it. */
export const numberOf = (text: string) =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : (text as never);

/** Every text that the service reads as an amount: it would take one of several for their sum. */
export const isAmount = (text: string) => /^-?(?=\.?\d)\d{0,18}(?:\.\d{0,2})?$/.test(text);
