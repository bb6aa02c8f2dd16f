import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A page with these parts between their marks. */
export function filled(path: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const [before = '', rest = ''] = text.split(`<!-- ${name} -->\n`);
      const after = rest.split(`<!-- /${name} -->`)[1];
      expect(after, `the mark ${name} is opened and closed`).toBeDefined();
      return `${before}<!-- ${name} -->\n${part}\n<!-- /${name} -->${after}`;
    },
    readFileSync(path, 'utf8'),
  );
}
