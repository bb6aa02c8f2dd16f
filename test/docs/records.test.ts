import { type Kind, longestKeys, membersOf, records, shapeOf } from 'dealwright/ports';
import { expect, it } from 'vitest';
import { filled } from './filled.js';

const path = new URL('../../docs/how-to/plug-in-a-store.md', import.meta.url).pathname;
const types = ['text', 'integer', 'money', 'json'] as const;

/** Characters, and bytes in UTF-8 if they are more. */
function lengthOf(kind: Kind): string {
  const { characters, bytes } = longestKeys[kind];
  const isText = membersOf(kind)[shapeOf(kind).key]?.type === 'text';
  if (!isText) return `${characters} digits`;
  return characters === bytes ? `${characters}` : `${characters} (${bytes} bytes)`;
}

/** A row for each kind of record, made from the table of fields. */
function recordTable(): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell || '-').join(' | ')} |`;
  const head = ['Kind', 'Key', 'Longest key', 'Under', ...types, 'May change'];
  const rows = (Object.keys(records) as Kind[]).map((kind) => {
    const { of, key, under, changes } = shapeOf(kind);
    const members = Object.entries(membersOf(kind));
    const ofType = (type: (typeof types)[number]) =>
      members
        .filter(([, each]) => each.type === type)
        .map(([name, { isOptional }]) => `\`${name}${isOptional ? '?' : ''}\``)
        .join(', ');
    return [
      `\`${kind}\`${of === 'environment' ? ' (of the environment)' : ''}`,
      `\`${key}\``,
      lengthOf(kind),
      under === undefined ? '' : `\`${under.kind}\``,
      ...types.map(ofType),
      changes.map((name) => `\`${name}\``).join(', '),
    ];
  });
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

// npx vitest run test/docs/records.test.ts -u writes the table again
it('docs/how-to/plug-in-a-store.md has the records of the table of fields', async () => {
  await expect(filled(path, { records: recordTable() })).toMatchFileSnapshot(path);
});
