import { type ArchiveProgress, fromNdjson } from 'dealwright/archive';
import { createMemoryStore } from 'dealwright/memory';
import { membersOf, records as table } from 'dealwright/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRecords } from './any-records.js';
import { bytesOf, listOf, streamed } from './archive-text.js';
import { createArchivedStore } from './archived-store.js';

const read = (...chunks: (Uint8Array | string)[]) => listOf(fromNdjson(streamed(chunks)));

/** The lines, with some of them replaced by others. */
const spliced = (lines: readonly string[], at: number, count: number, ...more: string[]) => [
  ...lines.slice(0, at),
  ...more,
  ...lines.slice(at + count),
];

/** A text in pieces, cut at these places, even within characters. */
function cut<T extends { slice(from: number, to?: number): T; readonly length: number }>(
  whole: T,
  places: readonly number[],
): T[] {
  const at = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
  return [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
}

/** The same value with all its members in reverse order, as another store may keep them. */
function withMembersReversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withMembersReversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, of]) => [name, withMembersReversed(of)]);
  return Object.fromEntries(members.reverse()) as T;
}

describe('the text of an archive', () => {
  it('is read as the records that it was written of, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRecords(),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (records, places) => {
          const bytes = await bytesOf(records);
          expect(await read(...cut(bytes, places))).toStrictEqual(records);
          expect(await read(...cut(bytes.toString('utf8'), places))).toStrictEqual(records);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is the same with the members of a record in any order', async () => {
    const { records } = await createArchivedStore();
    const property = fc.asyncProperty(anyRecords(), async (any) => {
      for (const each of [any, records]) {
        const text = await bytesOf(each.map(withMembersReversed));
        expect(text.equals(await bytesOf(each))).toBe(true);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('is read one byte at a time, into a buffer that is used again', async () => {
    const { records } = await createArchivedStore();
    const bytes = await bytesOf(records);
    const one = new Uint8Array(1);
    const chunks = async function* () {
      for (const byte of bytes) {
        one[0] = byte;
        yield one;
      }
    };
    expect(await listOf(fromNdjson(chunks()))).toStrictEqual(records);
  });

  it('says first what it is, and last how much', async () => {
    const { records } = await createArchivedStore();
    const lines = (await bytesOf(records)).toString('utf8').split('\n');
    const { records: listed, ...header } = JSON.parse(lines.at(0) ?? '');
    expect(header).toEqual({ dealwright: 'archive', format: 2, contents: false });
    expect(Object.keys(listed)).toEqual(Object.keys(table));
    expect(listed.work_file).toEqual({
      ...{ id: 'text', partner_id: 'text', stage_id: 'integer', name: 'text', size: 'integer' },
      ...{
        sha256: 'text',
        content_type: 'text',
        uploaded_at: 'text',
        status: 'text',
        uploaded_by: 'text?',
        attempt: 'text',
      },
    });
    expect(listed.deal).toMatchObject({
      amount: 'money',
      work_days: 'integer?',
      version: 'integer',
    });
    const counts = {
      ...Object.fromEntries(Object.keys(table).map((kind) => [kind, 0])),
      ...{ contractor: 1, deal: 2, stage: 2, work_file: 1, answer: 3, event: 4 },
    };
    expect(JSON.parse(lines.at(-2) ?? '')).toEqual({ end: { records: counts, contents: 0 } });
    expect(lines.at(-1)).toBe('');
    expect(lines.length).toBe(records.length + 3);
  });

  it('holds the members of a record by their names in the table of fields', async () => {
    const { records } = await createArchivedStore();
    const lines = (await bytesOf(records)).toString('utf8').split('\n').slice(1, -2);
    for (const [at, { kind, tenant, row }] of records.entries()) {
      const line = JSON.parse(lines[at] ?? '');
      expect(line).toEqual({ kind, tenant, row });
      expect(Object.keys(line.row)).toEqual(Object.keys(membersOf(kind)));
    }
  });

  it('moves a store into another', async () => {
    const { store, records } = await createArchivedStore();
    const into = createMemoryStore();
    const bytes = await bytesOf(await listOf(store.archive.dump()));
    expect(await into.archive.restore(fromNdjson(streamed([bytes])))).toBe(records.length);
    expect(await listOf(into.archive.dump())).toStrictEqual(records);
  });

  it('is not written of records that this version does not know', async () => {
    const { records } = await createArchivedStore();
    const record = { ...records[0], row: { ...records[0]?.row } };
    for (const [later, told] of [
      [{ ...record, kind: 'S3CRET' }, 'kind is not a kind of record'],
      [{ ...record, row: { ...record.row, S3CRET: 1 } }, 'it has an unknown member'],
      [{ ...record, row: { ...record.row, email: undefined } }, 'row.email is missing'],
    ] as const) {
      const written = bytesOf([Object(later)]);
      await expect(written).rejects.toThrow(
        new TypeError(`a record of the store is wrong: ${told}`),
      );
    }
  });

  it('may have line ends of another system, and none after the last', async () => {
    const { records } = await createArchivedStore();
    const text = (await bytesOf(records)).toString('utf8');
    expect(await read(text.replaceAll('\n', '\r\n'))).toStrictEqual(records);
    expect(await read(text.trimEnd())).toStrictEqual(records);
    expect(await read(text, '\n \n')).toStrictEqual(records);
  });

  it('is passed on as it is written and read', async () => {
    const { records } = await createArchivedStore();
    const told: ArchiveProgress[] = [];
    const onProgress = (progress: ArchiveProgress) => told.push(progress);
    const bytes = await bytesOf(records, { onProgress });
    const all = { records: records.length, contents: 0, bytes: bytes.length };
    expect(told.at(-1)).toEqual(all);
    told.length = 0;
    await listOf(fromNdjson(streamed([bytes]), { onProgress }));
    expect(told.map(({ records }) => records)).toEqual(
      [...records.keys(), records.length].map((at) => Math.min(at + 1, records.length)),
    );
    expect(told.at(-1)).toEqual(all);
  });
});

describe('a text that is not an archive', () => {
  it('is noticed if any of its end is missing', async () => {
    const { records } = await createArchivedStore();
    const bytes = await bytesOf(records);
    const whole = bytes.length - 1;
    // a step that cuts every part of a line
    for (let length = 0; length < whole; length += 17) {
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(/^line \d+ of the archive /);
    }
    await expect(read(bytes.subarray(0, whole))).resolves.toHaveLength(records.length);
  });

  it('is noticed if any line is missing, or comes twice', async () => {
    const { records } = await createArchivedStore();
    const lines = (await bytesOf(records)).toString('utf8').split(/(?<=\n)/);
    for (const at of lines.keys()) {
      await expect(read(spliced(lines, at, 1).join(''))).rejects.toThrow(
        /^line \d+ of the archive /,
      );
      const twice = spliced(lines, at, 0, lines[at] ?? '').join('');
      await expect(read(twice)).rejects.toThrow(/^line \d+ of the archive /);
    }
  });

  it.each([
    ['', /^line 1 of the archive is missing: the archive was cut off$/],
    ['x', /^line 1 of the archive is not JSON$/],
    ['[]', /^line 1 of the archive is not a JSON object$/],
    ['null', /^line 1 of the archive is not a JSON object$/],
    ['{}', /^line 1 of the archive is not the first line of an archive of dealwright$/],
    ['\ufeff{"dealwright":"archive"}', /^line 1 of the archive is not JSON$/],
    ['{"dealwright":"archive"}', /^line 1 of the archive does not say its format$/],
    [
      '{"dealwright":"archive","format":1,"contents":false}',
      /^line 1 of the archive says format 1, and this version of dealwright reads format 2: /,
    ],
    [
      '{"dealwright":"archive","format":3}',
      /says format 3, .*: restore it with the version that wrote it$/,
    ],
    ['{"dealwright":"archive","format":"S3CRET"}', /^line 1 .* does not say its format$/],
    ['{"dealwright":"archive","format":2}', /^line 1 .* does not say whether it holds contents$/],
    [
      '{"dealwright":"archive","format":2,"contents":false,"records":{"deal":{"S3CRET":"text"}}}',
      /^line 1 of the archive lists other fields than the records of this version of dealwright have/,
    ],
    ['\ud800', /^line 1 of the archive is not UTF-8$/],
    [Uint8Array.of(0x7b, 0xff, 0x0a), /^line 1 of the archive is not UTF-8$/],
  ])('is told: %j', async (text, told) => {
    await expect(read(text)).rejects.toThrow(told);
  });

  it('has a line that is too long, which is not read to its end', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    let chunks = 0;
    const endless = async function* () {
      for (;;) {
        chunks += 1;
        yield chunk;
      }
    };
    await expect(listOf(fromNdjson(endless()))).rejects.toThrow(
      /^line 1 of the archive is longer than 67108864 bytes$/,
    );
    expect(chunks).toBe(65);
  });

  it('has records in another order', async () => {
    const { records } = await createArchivedStore();
    const text = (await bytesOf([...records].reverse())).toString('utf8');
    await expect(read(text)).rejects.toThrow(/^line \d+ of the archive is out of order/);
  });

  it('releases its source', async () => {
    let isReleased = false;
    const source = async function* () {
      try {
        yield 'x\n';
        yield 'y\n';
      } finally {
        isReleased = true;
      }
    };
    await expect(listOf(fromNdjson(source()))).rejects.toThrow(/not JSON$/);
    expect(isReleased).toBe(true);
  });
});
