/** The sum of two amounts, of which the second may have one more minus in front. */
export function plus(amount: string, other: string): string {
  const cents = minorUnits(amount) + minorUnits(other.replace(/^--/, ''));
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const minorUnits = (amount: string) => BigInt(amount.replace('.', ''));

/** A decimal comma is one, too, and spaces between the digits are for people. */
export const decimalOf = (text: string) => text.replace(/\s/g, '').replace(',', '.');

/** Text that is no number goes as it is: the service says what is wrong with it. */
export const numberOf = (text: string) =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : (text as never);

export const isAmount = (text: string) => /^\d{1,18}(?:\.\d{1,2})?$/.test(text);
