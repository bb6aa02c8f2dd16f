/**
 * What a terminal obeys instead of showing, and what reorders or hides the text around it: control
 * characters, line and paragraph separators, format characters such as those that turn the direction
 * of writing. The two joiners are left: scripts and emoji need them, and they move nothing.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Text from elsewhere on one line of a terminal: what is not to be shown is spelt as JSON spells it. */
export function printable(text: string): string {
  return text.replace(unprintable, spell);
}

/**
 * A value as JSON that a terminal can be shown too: JSON escapes the control characters below U+0020
 * only. It means exactly the value.
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
