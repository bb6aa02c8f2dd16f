/** The bytes of a text in UTF-8. */
export function textBytes(text: string): number {
  let bytes = text.length;
  for (let at = firstOf(text, beyondAscii); at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unitBytes(unit) - 1;
  }
  return bytes;
}

/** The bytes of a value as JSON in UTF-8: of texts, numbers, nulls, lists and objects of them. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return quotedBytes(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  // two brackets, and a sign between two members
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const each of value) bytes += jsonBytes(each) + 1;
    return value.length === 0 ? bytes : bytes - 1;
  }
  const members = Object.entries(value);
  for (const [name, each] of members) bytes += quotedBytes(name) + jsonBytes(each) + 2;
  return members.length === 0 ? bytes : bytes - 1;
}

function quotedBytes(text: string): number {
  let bytes = text.length + 2;
  for (let at = firstOf(text, ofMoreBytes); at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unitBytes(unit) - 1;
    else if (unit === 0x22 || unit === 0x5c) bytes += 1;
    else if (unit < 0x20) bytes += shortEscapes.includes(unit) ? 1 : 5;
  }
  return bytes;
}

/** Characters that have more than one byte, and those that JSON writes as more. */
const beyondAscii = /[^\0-\x7f]/;
const ofMoreBytes = /[^ !#-[\]-\x7f]/;

/** The place of the first of these characters: most texts have none, and a search is fast. */
function firstOf(text: string, characters: RegExp): number {
  const at = text.search(characters);
  return at < 0 ? text.length : at;
}

/** The control characters that JSON writes as two: \b \t \n \f \r. */
const shortEscapes: readonly number[] = [0x08, 0x09, 0x0a, 0x0c, 0x0d];

/** The bytes of a UTF-16 unit above ASCII: both halves of a pair together have four. */
function unitBytes(unit: number): number {
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}
