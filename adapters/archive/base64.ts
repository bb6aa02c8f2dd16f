/** Characters that `String.fromCharCode` takes at once, far from where engines run out of arguments. */
const most = 8 * 1024;

/** Bytes as base64 (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += most) {
    binary += String.fromCharCode(...bytes.subarray(at, at + most));
  }
  return btoa(binary);
}

/** The bytes of a base64 text in its one canonical form; nothing for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  // the runtime accepts blanks, missing padding and bits that are left over
  if (btoa(binary) !== text) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
