const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Every two letters, in order: twelve bits each. */
const pairs: readonly string[] = /* @__PURE__ */ [...letters].flatMap((first) =>
  [...letters].map((second) => first + second),
);

/**
 * Base64url without padding (RFC 4648, section 5). Two letters at a time from a table, because
 * `btoa` makes three strings on the way and costs ten times as much for the 32 bytes of a token.
 */
export function encodeBytes(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let waiting = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    waiting += 8;
    if (waiting < 12) continue;
    waiting -= 12;
    text += pairs[(bits >> waiting) & 0xfff];
  }
  if (waiting === 0) return text;
  const last = `${pairs[(bits << (12 - waiting)) & 0xfff]}`;
  return text + (waiting > 6 ? last : last.charAt(0));
}

export function encodeText(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

/**
 * The bytes, if the text is exactly the one that `encodeBytes` makes of them: else the spare bits
 * of a last letter would let several texts stand for the same bytes.
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

const poolSize = 4096;

/**
 * Random bytes of the runtime in base64url. They are drawn four kilobytes at a time, because each
 * call of `getRandomValues` costs a microsecond or more. No byte is used twice, and returned bytes
 * are not kept.
 */
export function createRandomText(): (bytes: number) => string {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return (bytes) => {
    if (used + bytes > poolSize) {
      globalThis.crypto.getRandomValues(pool);
      used = 0;
    }
    const end = used + bytes;
    const text = encodeBytes(pool.subarray(used, end));
    pool.fill(0, used, end);
    used = end;
    return text;
  };
}
