import { fromNdjson } from 'dealwright/archive';
import { type ArchiveRecord, type Kind, membersOf, records as table } from 'dealwright/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRecord } from './any-records.js';
import { bytesOf, listOf, streamed } from './archive-text.js';

/** A record with another value in a member. */
function withMember(record: ArchiveRecord, [part, name = '']: readonly string[], value: unknown) {
  const changed: Record<string, unknown> = structuredClone({ ...record });
  if (name === '') changed[part ?? ''] = value;
  else Reflect.set(Object(changed[part ?? '']), name, value);
  return changed;
}

/** The members of a record, and of its row. */
function pathsOf({ kind }: ArchiveRecord): (readonly string[])[] {
  const row = Object.keys(membersOf(kind)).map((name) => ['row', name]);
  return [['kind'], ['tenant'], ['row'], ['tenant', 'environment'], ['tenant', 'partner'], ...row];
}

/** The error of reading an archive whose first record is this line. */
async function saidOf(records: readonly ArchiveRecord[], broken: unknown): Promise<string> {
  const [header, , ...rest] = (await bytesOf(records)).toString('utf8').split('\n');
  const text = [header, JSON.stringify(broken), ...rest].join('\n');
  return listOf(fromNdjson(streamed([text]))).then(
    () => `it took ${JSON.stringify(broken)}`,
    ({ message }: Error) => message,
  );
}

const kinds = Object.keys(table) as Kind[];

describe('a record that is wrong', () => {
  it.each(kinds)('is told by its line and its member, and never by its value: %s', async (kind) => {
    const [record] = fc.sample(anyRecord(kind), 1) as [ArchiveRecord];
    for (const path of pathsOf(record)) {
      const [part, name = ''] = path;
      for (const other of [
        ['S3CRET'],
        { S3CRET: {} },
        undefined,
        true,
        0.5,
        'S3CRET\0',
        '\ud800',
      ]) {
        const told = await saidOf([record], withMember(record, path, other));
        const subject = part !== 'row' ? part : name === '' ? 'row(\\.\\w+)?' : `row\\.${name}`;
        expect(told).toMatch(new RegExp(`^line 2 of the archive is wrong: ${subject} (is|has) `));
        expect(told).not.toMatch(/S3CRET/);
      }
    }
  });

  it.each(kinds)('has a value that is not of the type of its field: %s', async (kind) => {
    const [record] = fc.sample(anyRecord(kind), 1) as [ArchiveRecord];
    const wrong = {
      text: [null, 1],
      integer: [null, '1', 2 ** 53, -(2 ** 53)],
      money: [null, 1, '', '1', '1.0', '01.00', '-0.00', '+1.00', '1e2', `${'9'.repeat(25)}.00`],
      json: [null, 1, '{}', [], { a: [[]] }, { a: {} }, { a: true }, { a: 0.5 }, { a: 2 ** 53 }],
    } as const;
    for (const [name, { type, isOptional }] of Object.entries(membersOf(kind))) {
      for (const other of wrong[type].filter((value) => !isOptional || value !== null)) {
        const told = await saidOf([record], withMember(record, ['row', name], other));
        expect(told, JSON.stringify(other)).toMatch(`is wrong: row.${name} is `);
      }
      if (!isOptional) continue;
      const absent = withMember(record, ['row', name], null) as ArchiveRecord;
      expect(await listOf(fromNdjson(streamed([await bytesOf([absent])])))).toStrictEqual([absent]);
    }
  });

  it.each([
    ['an unknown member', { S3CRET: 1 }, {}, /^line 2 .* wrong: it has an unknown member$/],
    ['an unknown field', {}, { S3CRET: 1 }, /^line 2 .* wrong: it has an unknown member$/],
    ['a field of the name __proto__', {}, JSON.parse('{"__proto__":1}'), /unknown member$/],
    ['a version below 1', {}, { version: 0 }, /wrong: row\.version is less than 1$/],
    ['an integer of the store below 1', {}, { id: 0 }, /wrong: row\.id is less than 1$/],
    [
      'a tenant with more',
      { tenant: { environment: 'sandbox', partner: 'x', S3CRET: 1 } },
      {},
      /wrong: it has an unknown member$/,
    ],
    ['an inherited kind', { kind: 'constructor' }, {}, /wrong: kind is not a kind of record$/],
  ])('such as one with %s', async (_, change, row, told) => {
    const [record] = fc.sample(anyRecord('deal'), 1) as [ArchiveRecord];
    const broken = { ...record, ...change, row: { ...record.row } };
    for (const [name, value] of Object.entries(row)) {
      Object.defineProperty(broken.row, name, { value, enumerable: true });
    }
    expect(await saidOf([record], broken)).toMatch(told);
  });
});
