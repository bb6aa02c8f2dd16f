/** The canonical JSON of RFC 8785 of JSON values with integers alone, written letter by letter. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const names = Object.keys(value).sort(byUnits);
  const members = names.map((name) => `${quoted(name)}:${canonical(Reflect.get(value, name))}`);
  return `{${members.join(',')}}`;
}

/** By UTF-16 code units (RFC 8785, section 3.2.3). */
function byUnits(a: string, b: string): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = a.charCodeAt(at) - b.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const short: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Section 3.2.2.2: the short escapes, other control characters as `\u00xx`, the rest as it is. */
function quoted(text: string): string {
  let written = '"';
  for (const letter of text) {
    const unit = letter.charCodeAt(0);
    const escaped = unit < 32 ? `\\u${unit.toString(16).padStart(4, '0')}` : letter;
    written += short[letter] ?? escaped;
  }
  return `${written}"`;
}
