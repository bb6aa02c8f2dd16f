const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
// without repeated groups: those overflow the stack of the engine on a text of some megabytes
const form = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a base64 text (RFC 4648, section 4, with its padding), or `undefined` if it is not
 * one. Each content has exactly one text: bits after the last byte have to be zero (section 3.5).
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !form.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let value = 0;
  let at = 0;
  for (let index = 0; index < text.length - padding; index += 1) {
    value = ((value << 6) | (values[text.charCodeAt(index)] ?? 0)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (value >> bits) & 0xff;
    at += 1;
  }
  return (value & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

const values = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);
