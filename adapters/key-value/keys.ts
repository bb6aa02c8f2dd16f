import type { Value } from 'dealwright/ports';

/**
 * The key of these parts: no other parts have the same one, and keys sort as their parts do, text
 * by code point and integers by value, if a place has values of one type. The keys that begin with
 * all parts of a key are from that key to `endOf` it.
 */
export function keyOf(...parts: readonly Value[]): string {
  return parts.map(encode).join(' ');
}

/** The end of all keys that begin with the parts of this one: `!` comes right after the blank. */
export function endOf(key: string): string {
  return `${key}!`;
}

function encode(part: Value): string {
  if (part === null) return '!';
  if (typeof part === 'string') return part.replace(/[^"-}]/gu, escaped);
  return part < 0 ? `-${digits(part + Number.MAX_SAFE_INTEGER)}` : digits(part);
}

const digits = (integer: number) => String(integer).padStart(16, '0');

/** Escapes of characters that sort before all others begin with `!`, those after them with `~`. */
function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  return point < 0x22 ? `!${hex.padStart(2, '0')}` : `~${hex.padStart(6, '0')}`;
}
