import { type ArchiveProgress, fromNdjson } from 'dealwright/archive';
import { createMemoryStore } from 'dealwright/memory';
import type { StoreRecord } from 'dealwright/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRecords } from './any-records.js';
import { bytesOf, listOf, streamed } from './archive-text.js';
import { createArchivedStore } from './archived-store.js';

const read = (...chunks: (Uint8Array | string)[]) => listOf(fromNdjson(streamed(chunks)));

/** The lines with some of them taken out, and others put in their place. */
const spliced = (lines: readonly string[], at: number, count: number, ...more: string[]) => [
  ...lines.slice(0, at),
  ...more,
  ...lines.slice(at + count),
];

/** A text in pieces, cut at these places, within characters too. */
function cut<T extends { slice(from: number, to?: number): T; readonly length: number }>(
  whole: T,
  places: readonly number[],
): T[] {
  const at = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
  return [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
}

/** The same, all the way down, as a store may have it that keeps its members the other way round. */
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

  it('is the same whatever order the members of a record are in', async () => {
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
    expect(lines.at(0)).toBe('{"dealwright":"archive","format":1,"contents":false}');
    expect(lines.at(-2)).toBe(
      '{"record":"end","counts":{"contractor":1,"deal":1,"deal_v2":1,"event":4,"content":0}}',
    );
    expect(lines.at(-1)).toBe('');
    expect(lines.length).toBe(records.length + 3);
  });

  it('moves a store into another', async () => {
    const { store, records } = await createArchivedStore();
    const into = createMemoryStore();
    const bytes = await bytesOf(await listOf(store.archive.dump()));
    expect(await into.archive.restore(fromNdjson(streamed([bytes])))).toBe(records.length);
    expect(await listOf(into.archive.dump())).toStrictEqual(records);
  });

  it('has no record that it does not know, rather than half of it', async () => {
    const { records } = await createArchivedStore();
    const later = structuredClone(records);
    for (const record of later) {
      if (record.record === 'event') Reflect.set(record.event, 'type', 'deal.later');
      else Reflect.set(record, 'record', 'later');
    }
    const told = new Set<string>();
    for (const record of later) {
      const error = await bytesOf([record]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      told.add(String(error));
    }
    expect([...told].sort()).toEqual([
      'TypeError: an archive has no event "deal.later"',
      'TypeError: an archive has no record "later"',
    ]);
  });

  it('may have line ends of another system, and none behind the last', async () => {
    const { records } = await createArchivedStore();
    const text = (await bytesOf(records)).toString('utf8');
    expect(await read(text.replaceAll('\n', '\r\n'))).toStrictEqual(records);
    expect(await read(text.trimEnd())).toStrictEqual(records);
    expect(await read(text, '\n \n')).toStrictEqual(records);
  });

  it('is told of as it is written and read', async () => {
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

describe('a text that is no archive', () => {
  it('is known where any of its end is missing', async () => {
    const { records } = await createArchivedStore();
    const bytes = await bytesOf(records);
    const whole = bytes.length - 1;
    // a step that meets each part of a line
    for (let length = 0; length < whole; length += 17) {
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(/^line \d+ of the archive /);
    }
    await expect(read(bytes.subarray(0, whole))).resolves.toHaveLength(records.length);
  });

  it('is known where any line is missing, or there twice', async () => {
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
    ['x', /^line 1 of the archive is no JSON$/],
    ['[]', /^line 1 of the archive is no JSON object$/],
    ['null', /^line 1 of the archive is no JSON object$/],
    ['{}', /^line 1 of the archive is not the first of an archive of dealwright$/],
    ['\ufeff{"dealwright":"archive"}', /^line 1 of the archive is no JSON$/],
    ['{"dealwright":"archive"}', /^line 1 of the archive says no format that there is$/],
    [
      '{"dealwright":"archive","format":2}',
      /says format 2, which a later version of dealwright reads$/,
    ],
    [
      '{"dealwright":"archive","format":1}',
      /^line 1 of the archive is wrong: contents is missing$/,
    ],
    [
      '{"dealwright":"archive","format":1,"contents":true}',
      /holds contents of work files, and nobody takes them$/,
    ],
    ['\ud800', /^line 1 of the archive is no UTF-8$/],
    [Uint8Array.of(0x7b, 0xff, 0x0a), /^line 1 of the archive is no UTF-8$/],
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

  it('lets go of whoever gives it', async () => {
    let isLetGo = false;
    const source = async function* () {
      try {
        yield 'x\n';
        yield 'y\n';
      } finally {
        isLetGo = true;
      }
    };
    await expect(listOf(fromNdjson(source()))).rejects.toThrow(/no JSON$/);
    expect(isLetGo).toBe(true);
  });
});

type Path = readonly string[];

/** The paths of all that a record has. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const own = Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
  return path.length === 0 ? own : [path, ...own];
}

/** The value with another one at a path. */
function withAt(value: unknown, [name, ...rest]: Path, other: unknown): unknown {
  if (name === undefined) return other;
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === name ? withAt(each, rest, other) : each));
  return { ...Object(value), [name]: withAt(Object(value)[name], rest, other) };
}

describe('a record that is wrong', () => {
  it('is told by its line and its member, and never by its value', async () => {
    const { records } = await createArchivedStore();
    const lines = (await bytesOf(records)).toString('utf8').split(/(?<=\n)/);
    let tried = 0;
    for (const [at, line] of lines.slice(1, -2).entries()) {
      const record = JSON.parse(line) as StoreRecord;
      for (const path of pathsOf(record)) {
        for (const other of [['S3CRET'], { S3CRET: 1 }, null, true, 0.5, 'S3CRET\0']) {
          const broken = `${JSON.stringify(withAt(record, path, other))}\n`;
          const failure = await read(spliced(lines, at + 1, 1, broken).join('')).then(
            () => new Error(`it took ${JSON.stringify(other)} for ${path.join('.')}`),
            (error: Error) => error,
          );
          expect(failure.message).toMatch(new RegExp(`^line ${at + 2} of the archive is wrong: `));
          expect(failure.message).not.toMatch(/S3CRET/);
          // the kind, the tenant and lists are judged as a whole
          if (!/^(record|tenant|event\.(environment|partner))/.test(path.join('.'))) {
            const [, named = ''] = /wrong: (\S+)/.exec(failure.message) ?? [];
            const given = path.join('.');
            const isThere = named.startsWith(given) || given.startsWith(named);
            expect(isThere, `${named} for ${given}`).toBe(true);
          }
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(500);
  });

  it.each([
    [
      'a member that is not known',
      { S3CRET: 1 },
      /^line 2 .* wrong: it holds a member that is not known$/,
    ],
    ['a version below 1', { version: 0 }, /wrong: version is less than 1$/],
    [
      'a tenant with more',
      { tenant: { environment: 'sandbox', partner: 'x', S3CRET: 1 } },
      /wrong: tenant holds a member that is not known$/,
    ],
    ['no tenant', { tenant: undefined }, /wrong: tenant is missing$/],
    [
      'a key that is none',
      { idempotency: { key: 'S3CRET key', fingerprint: 'x' } },
      /wrong: idempotency.key is no idempotency key$/,
    ],
    [
      'half a character',
      { event_id: '\ud800' },
      /wrong: event_id holds U\+0000 or half a character$/,
    ],
  ])('such as %s', async (_, change, told) => {
    const { records } = await createArchivedStore();
    const lines = (await bytesOf(records)).toString('utf8').split(/(?<=\n)/);
    const broken = `${JSON.stringify({ ...JSON.parse(lines[1] ?? ''), ...change })}\n`;
    await expect(read(spliced(lines, 1, 1, broken).join(''))).rejects.toThrow(told);
  });

  it.each([
    ['2026-01-01T00:00:00Z', '"created_at":"', /deal.created_at is no RFC 3339 time/],
    ['1', '"budget":"', /deal.budget is no decimal/],
    ['01.00', '"budget":"', /deal.budget is no decimal/],
    ['-0.00', '"budget":"', /deal.budget is no decimal/],
  ])('such as %s, which another text would say', async (other, member, told) => {
    const { records } = await createArchivedStore();
    const text = (await bytesOf(records)).toString('utf8');
    const broken = text.replace(new RegExp(`${member}[^"]*"`), `${member}${other}"`);
    await expect(read(broken)).rejects.toThrow(told);
  });
});
