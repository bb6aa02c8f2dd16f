import { randomBytes } from 'node:crypto';
import { type ArchiveContents, fromNdjson } from 'dealwright/archive';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { type FileStore, type StoreRecord, unavailable } from 'dealwright/ports';
import { createSha256 } from 'dealwright/system';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenant } from '../../kit/requests.js';
import { bytesOf, listOf, streamed } from './archive-text.js';
import { createArchivedStore } from './archived-store.js';

const contentsIn = (files: FileStore): ArchiveContents => ({ files, sha256: createSha256() });

const read = (text: Uint8Array | string, contents?: ArchiveContents | 'skip') =>
  listOf(fromNdjson(streamed([text]), contents === undefined ? {} : { contents }));

function filesOf(records: readonly StoreRecord[]) {
  return records.flatMap((record) =>
    record.record === 'deal' ? record.deal.stages.flatMap(({ work_files }) => work_files) : [],
  );
}

async function contentOf(files: FileStore, id: string): Promise<Buffer | undefined> {
  const found = (await files.get(tenant, id))._unsafeUnwrap();
  return found && Buffer.concat(await listOf(found));
}

/** An archive with these contents. */
async function archiveOf(...contents: Uint8Array[]) {
  const { store, records } = await createArchivedStore(contents);
  const text = (await bytesOf(records, { contents: contentsIn(store.files) })).toString('utf8');
  return { store, records, text, files: filesOf(records) };
}

describe('the contents of work files', () => {
  it('are in the other file store, byte for byte, before their deal is handed out', async () => {
    const piece = 48 * 1024;
    const sizes = fc.oneof(
      fc.nat(100),
      fc.constantFrom(piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 2),
    );
    const property = fc.asyncProperty(fc.array(sizes, { maxLength: 4 }), async (lengths) => {
      const given = lengths.map((length) => randomBytes(length));
      const { records, text, files } = await archiveOf(...given);
      const into = createMemoryStore();
      const seen: StoreRecord[] = [];
      for await (const record of fromNdjson(streamed([text]), {
        contents: contentsIn(into.files),
      })) {
        seen.push(record);
        for (const { id } of filesOf([record])) {
          expect(await contentOf(into.files, id)).toBeDefined();
        }
      }
      expect(seen).toStrictEqual(records);
      const there: (Buffer | undefined)[] = [];
      for (const { id } of files) there.push(await contentOf(into.files, id));
      // a failed comparison would print megabytes
      const isSame = given.every((bytes, at) => there[at]?.equals(bytes));
      expect([isSame, there.length]).toEqual([true, given.length]);
      expect(await read(text, 'skip')).toStrictEqual(records);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it('are passed over or refused where nobody takes them', async () => {
    const { text, records } = await archiveOf(randomBytes(100_000));
    expect(await read(text, 'skip')).toStrictEqual(records);
    await expect(read(text)).rejects.toThrow(/^line 1 .* and nobody takes them$/);
  });

  it('need not be there', async () => {
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
      (lines: string[]) => lines.filter((_, at) => at !== 4),
      /^line 5 .* is no piece of the content/,
    ],
    [
      'has a piece twice',
      (lines: string[]) => lines.flatMap((line, at) => (at === 3 ? [line, line] : [line])),
      /base64 is more than its file has|SHA-256/,
    ],
    [
      'has its pieces in another order',
      ([a = '', b = '', c = '', d = '', e = '', ...rest]: string[]) => [a, b, c, e, d, ...rest],
      /SHA-256 is not that of its file/,
    ],
    [
      'is of another file',
      (lines: string[]) =>
        lines.map((line) => line.replace(/"file_id":"[^"]*","base64/, '"file_id":"other","base64')),
      /^line 4 .* file_id names another file/,
    ],
    [
      'is no base64',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"./, '"base64":"*')),
      /^line 4 .* base64 is none/,
    ],
    [
      'is no canonical base64',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"/, '"base64":" ')),
      /^line 4 .* base64 is none/,
    ],
    [
      'is empty',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"[^"]*"/, '"base64":""')),
      /^line 4 .* base64 is empty/,
    ],
    [
      'is another one',
      (lines: string[]) => lines.map((line) => line.replace(/"base64":"..../, '"base64":"AAAA')),
      /SHA-256 is not that of its file/,
    ],
  ])('are refused where one %s', async (_, change, told) => {
    // the first line is a header, then a contractor and the deal; two pieces of one size
    const { text } = await archiveOf(randomBytes(96 * 1024));
    const broken = change(text.split('\n')).join('\n');
    const files = createMemoryFileStore();
    await expect(read(broken, contentsIn(files))).rejects.toThrow(told);
    expect((await files.list(tenant, undefined))._unsafeUnwrap()).toEqual([]);
    if (/SHA/.test(String(told))) return;
    await expect(read(broken, 'skip')).rejects.toThrow(told);
  });

  it('are refused where an empty one has another digest', async () => {
    const { text } = await archiveOf(new Uint8Array(0));
    const broken = text.replace(/"sha256":"./, '"sha256":"0');
    await expect(read(broken, contentsIn(createMemoryFileStore()))).rejects.toThrow(
      /^line 3 of the archive ends a content whose SHA-256 is not that of its file$/,
    );
  });

  it('are not written where the file store has lost one, or has another', async () => {
    const { store, records, files } = await archiveOf(randomBytes(10), randomBytes(10));
    const id = files[1]?.id ?? '';
    const write = () => bytesOf(records, { contents: contentsIn(store.files) });
    for (const other of [randomBytes(10), randomBytes(9), randomBytes(11)]) {
      await store.files.put(tenant, id, streamed([other]));
      await expect(write()).rejects.toThrow(`work file ${id} is not what was uploaded`);
    }
    await store.files.delete(tenant, id);
    await expect(write()).rejects.toThrow(`the content of the work file ${id} is not there`);
    const cause = new Error('the disk is gone');
    const get = () => unavailable({ outcome: 'none', cause });
    const lost = bytesOf(records, { contents: contentsIn({ ...store.files, get }) });
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
