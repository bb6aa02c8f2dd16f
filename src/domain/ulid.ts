const form = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Says whether a value is a ULID in its canonical form, in upper case. */
export function isUlid(value: unknown): value is string {
  return typeof value === 'string' && form.test(value);
}

/** The milliseconds since 1970 that a ULID begins with: ten characters of five bits each. */
export function timeOfUlid(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((time, letter) => time * 32 + alphabet.indexOf(letter), 0);
}
