const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Every two letters, in order: twelve bits each. */
const pairs: readonly string[] = /* @__PURE__ */ [...letters].flatMap((first) =>
  [...letters].map((second) => first + second),
);

/**
 * Base64url without padding (RFC 4648, section 5). Two letters at a time out of a table, because
 * `btoa` makes three strings on the way and costs ten times as much for the 32 bytes of a token.
 */
export function encodeBytes(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  let text = '';
  for (let at = 0; at < whole; at += 3) {
    const bits = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    text += `${pairs[bits >> 12]}${pairs[bits & 0xfff]}`;
  }
  if (bytes.length - whole === 1) return text + pairs[byteAt(bytes, whole) << 4];
  if (bytes.length - whole === 2) {
    const bits = (byteAt(bytes, whole) << 10) | (byteAt(bytes, whole + 1) << 2);
    return `${text}${pairs[bits >> 6]}${letters[bits & 0x3f]}`;
  }
  return text;
}

// beyond the end there is nothing to see: the loops above stay within
function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function encodeText(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

/**
 * The bytes, if the text is exactly what `encodeBytes` makes of them: the spare bits of a last
 * letter would else let several texts stand for the same bytes.
 */
export function decodeBytes(encoded: string): Uint8Array | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return encodeBytes(bytes) === encoded ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The well-formed text, or `undefined`. */
export function decodeText(encoded: string): string | undefined {
  const bytes = decodeBytes(encoded);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
