/** The bytes of a file that are enough to know its kind. */
export const sniffedBytes = 16;

/** First bytes in hexadecimal, `..` for any byte (WHATWG MIME Sniffing; section 6 and 7). */
const signatures: readonly (readonly [pattern: string, type: string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['52494646........57454250', 'image/webp'],
  ['52494646........57415645', 'audio/wav'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['526172211a07', 'application/vnd.rar'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['494433', 'audio/mpeg'],
  ['4f67675300', 'application/ogg'],
  ['1a45dfa3', 'video/webm'],
  ['........66747970', 'video/mp4'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['7f454c46', 'application/x-executable'],
  ['4d5a', 'application/vnd.microsoft.portable-executable'],
];

/** Formats that are based on one of these: their declared type counts as much as their bytes. */
const containers: Readonly<Record<string, RegExp>> = {
  'application/zip':
    /^application\/(?:vnd\.openxmlformats-|vnd\.oasis\.|epub\+zip|java-archive|vnd\.[a-z.]*\+zip)/,
  'video/webm': /^(?:video|audio)\/(?:webm|x-matroska)/,
  'video/mp4': /^(?:video\/(?:mp4|quicktime|3gpp)|audio\/(?:mp4|x-m4a)|image\/(?:hei[cf]|avif))/,
  'application/ogg': /^(?:audio|video|application)\/(?:ogg|opus)/,
};

const unknown = 'application/octet-stream';

/**
 * The type that a file is stored with (decision 4). The type shown by its first bytes takes
 * precedence over the declared type. A file that is declared as a kind with a signature, and does
 * not show it, is of an unknown kind. For a kind without a signature (text, for example) the
 * declared type counts.
 */
export function contentTypeOf(head: Uint8Array, declared: string | undefined): string {
  const essence = (declared ?? '').toLowerCase().split(';', 1)[0]?.trim() ?? '';
  const shown = signatures.find(([pattern]) => shows(head, pattern))?.[1];
  if (shown === undefined) return declared === undefined || isSigned(essence) ? unknown : declared;
  return declared !== undefined && (essence === shown || containers[shown]?.test(essence))
    ? declared
    : shown;
}

function shows(head: Uint8Array, pattern: string): boolean {
  for (let at = 0; at < pattern.length; at += 2) {
    const byte = pattern.slice(at, at + 2);
    if (byte !== '..' && head[at / 2] !== Number.parseInt(byte, 16)) return false;
  }
  return true;
}

function isSigned(essence: string): boolean {
  return (
    signatures.some(([, type]) => type === essence) ||
    Object.values(containers).some((inside) => inside.test(essence))
  );
}

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
