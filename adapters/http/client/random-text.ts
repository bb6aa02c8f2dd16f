/** 128 bits that nobody can guess; `randomUUID` is not there in pages without TLS. */
export function randomText(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
