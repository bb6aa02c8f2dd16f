import { randomBytes } from 'node:crypto';
import { type ArchiveContents, fromNdjson } from 'dealwright/archive';
import { createMemoryFileStore } from 'dealwright/memory';
import { type ArchiveRecord, type FileStore, unavailable } from 'dealwright/ports';
import { createSha256 } from 'dealwright/system';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenant } from '../../kit/requests.js';
import { bytesOf, listOf, streamed } from './archive-text.js';
import { createArchivedStore } from './archived-store.js';

const contentsIn = (files: FileStore): ArchiveContents => ({ files, sha256: createSha256() });

const read = (text: Uint8Array | string, contents?: ArchiveContents | 'skip') =>
  listOf(fromNdjson(streamed([text]), contents === undefined ? {} : { contents }));

function filesOf(records: readonly ArchiveRecord[]) {
  return records.flatMap((record) => (record.kind === 'work_file' ? [record.row] : []));
}

async function contentOf(files: FileStore, id: string): Promise<Buffer | undefined> {
  const found = (await files.get(tenant, id))._unsafeUnwrap();
  return found && Buffer.concat(await listOf(found));
}

/** An archive with these contents. */
async function archiveOf(...contents: Uint8Array[]) {
  const { files, records } = await createArchivedStore(contents);
  const text = (await bytesOf(records, { contents: contentsIn(files) })).toString('utf8');
  return { records, text, stored: files, files: filesOf(records) };
}

describe('the contents of work files', () => {
  it('are in the other file store, byte for byte, before their record is handed out', async () => {
    const piece = 48 * 1024;
    const sizes = fc.oneof(
      fc.nat(100),
      fc.constantFrom(piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 2),
    );
    const property = fc.asyncProperty(fc.array(sizes, { maxLength: 4 }), async (lengths) => {
      const given = lengths.map((length) => randomBytes(length));
      const { records, text, files } = await archiveOf(...given);
      const into = createMemoryFileStore();
      const seen: ArchiveRecord[] = [];
      for await (const record of fromNdjson(streamed([text]), {
        contents: contentsIn(into),
      })) {
        seen.push(record);
        for (const { id } of filesOf([record])) {
          expect(await contentOf(into, id)).toBeDefined();
        }
      }
      expect(seen).toStrictEqual(records);
      const there: (Buffer | undefined)[] = [];
      for (const { id } of files) there.push(await contentOf(into, id));
      // a failed comparison would print megabytes
      const isSame = given.every((bytes, at) => there[at]?.equals(bytes));
      expect([isSame, there.length]).toEqual([true, given.length]);
      expect(await read(text, 'skip')).toStrictEqual(records);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it('are skipped or refused if there is no file store for them', async () => {
    const { text, records } = await archiveOf(randomBytes(100_000));
    expect(await read(text, 'skip')).toStrictEqual(records);
    await expect(read(text)).rejects.toThrow(
      /^line 1 .* holds contents of work files: say where they go$/,
    );
  });

  it('may be left out', async () => {
    const { records } = await createArchivedStore();
    const files = createMemoryFileStore();
    expect(await read(await bytesOf(records), contentsIn(files))).toStrictEqual(records);
    expect((await files.list(tenant, undefined))._unsafeUnwrap()).toEqual([]);
  });

  it('take lines that are bounded', async () => {
    const { text } = await archiveOf(randomBytes(1_000_000));
    const longest = Math.max(...text.split('\n').map((line) => line.length));
    expect(longest).toBeLessThan(70_000);
  });

  it.each([
    [
      'is shorter',
      (lines: string[]) => lines.filter((_, at) => at !== 8),
      /^line 9 .* comes before the content of the last work file is complete/,
    ],
    [
      'has a piece twice',
      (lines: string[]) => lines.flatMap((line, at) => (at === 7 ? [line, line] : [line])),
      /base64 is more than its file has|SHA-256/,
    ],
    [
      'has its pieces in another order',
      (lines: string[]) =>
        lines.map((line, at) => (at === 7 || at === 8 ? lines[15 - at] : line) ?? ''),
      /SHA-256 is not that of its file/,
    ],
    [
      'is of another file',
      (lines: string[]) =>
        lines.map((line) => line.replace(/"content":"[^"]*","base64/, '"content":"other","base64')),
      /^line 8 .* content names another file/,
    ],
    [
      'is not base64',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"./, '"base64":"*')),
      /^line 8 .* base64 is not base64/,
    ],
    [
      'is not canonical base64',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"/, '"base64":" ')),
      /^line 8 .* base64 is not base64/,
    ],
    [
      'is empty',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"[^"]*"/, '"base64":""')),
      /^line 8 .* base64 is empty/,
    ],
    [
      'is another one',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"..../, '"base64":"AAAA')),
      /SHA-256 is not that of its file/,
    ],
  ])('are refused if one %s', async (_, change, told) => {
    // six lines before the record of the file, and two pieces of one size after it
    const { text } = await archiveOf(randomBytes(96 * 1024));
    const broken = change(text.split('\n')).join('\n');
    const files = createMemoryFileStore();
    await expect(read(broken, contentsIn(files))).rejects.toThrow(told);
    expect((await files.list(tenant, undefined))._unsafeUnwrap()).toEqual([]);
    if (/SHA/.test(String(told))) return;
    await expect(read(broken, 'skip')).rejects.toThrow(told);
  });

  it('are refused if an empty one has another digest', async () => {
    const { text } = await archiveOf(new Uint8Array(0));
    const broken = text.replace(/"sha256":"[^"]{64}/, `"sha256":"${'0'.repeat(64)}`);
    await expect(read(broken, contentsIn(createMemoryFileStore()))).rejects.toThrow(
      /^line 7 of the archive ends a content whose SHA-256 is not that of its file$/,
    );
  });

  it('are not written if the file store has lost one, or has another', async () => {
    const { stored, records, files } = await archiveOf(randomBytes(10), randomBytes(10));
    const id = files[1]?.id ?? '';
    const write = () => bytesOf(records, { contents: contentsIn(stored) });
    for (const other of [randomBytes(10), randomBytes(9), randomBytes(11)]) {
      await stored.put(tenant, id, streamed([other]));
      await expect(write()).rejects.toThrow(`work file ${id} is not what was uploaded`);
    }
    await stored.delete(tenant, id);
    await expect(write()).rejects.toThrow(`the content of the work file ${id} is missing`);
    const cause = new Error('the disk is gone');
    const get = () => unavailable({ outcome: 'none', cause });
    const lost = bytesOf(records, { contents: contentsIn({ ...stored, get }) });
    await expect(lost).rejects.toMatchObject({
      message: expect.stringContaining('cannot be read'),
      cause,
    });
  });

  it('say why they could not be kept', async () => {
    const { text } = await archiveOf(randomBytes(10));
    const cause = new Error('the disk is full');
    const put = () => unavailable({ outcome: 'none', cause });
    const full = read(text, contentsIn({ ...createMemoryFileStore(), put }));
    await expect(full).rejects.toMatchObject({
      message: expect.stringContaining('could not be kept'),
      cause,
    });
  });
});
