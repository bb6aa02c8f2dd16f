/**
 * Characters that control a terminal, and those that reorder or hide the text around them: control
 * characters, line and paragraph separators, format characters such as those that turn the
 * direction of writing. The two joiners are kept: scripts and emoji need them, and they move
 * nothing.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Text from elsewhere on one line of a terminal: the other characters are escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(unprintable, spell);
}

/**
 * A value as JSON that is safe for a terminal: JSON itself escapes only the control characters
 * below U+0020. It still means exactly the value.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unprintable, (character) =>
    character === '\n' ? character : spell(character),
  );
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spell(character: string): string {
  return (
    named[character] ??
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join('')
  );
}
