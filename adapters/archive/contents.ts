import type { StoreRecord, Tenant, WorkFile } from 'dealwright/ports';
import { decodeBase64 } from './base64.js';
import type { ArchiveContents } from './format.js';
import { objectOf, parsed } from './parse-line.js';
import { problemAt } from './problem.js';
import type { ArchiveLine } from './read-lines.js';
import { contentSchema } from './record-schema.js';

type DealRecord = Extract<StoreRecord, { readonly record: 'deal' }>;

/** Reads the contents of a deal's files, which follow its record, and answers how many there were. */
export async function restoreContents(
  { tenant, deal }: DealRecord,
  number: number,
  next: () => Promise<ArchiveLine>,
  into: ArchiveContents | 'skip' | undefined,
): Promise<number> {
  const files = deal.stages.flatMap(({ work_files }) => work_files);
  for (const file of files) {
    if (into === 'skip' || into === undefined) for await (const _ of pieces(file, next));
    else await restoreContent(tenant, file, number, next, into);
  }
  return files.length;
}

async function restoreContent(
  tenant: Tenant,
  file: WorkFile,
  numberOfDeal: number,
  next: () => Promise<ArchiveLine>,
  { files, sha256 }: ArchiveContents,
): Promise<void> {
  let problem: { readonly error: unknown } | undefined;
  let line = numberOfDeal;
  let isRead = false;
  const content = async function* () {
    const hash = sha256();
    try {
      for await (const { bytes, number } of pieces(file, next)) {
        hash.update(bytes);
        line = number;
        yield bytes;
      }
      if (hash.hex() !== file.sha256) {
        throw problemAt(line, 'ends a content whose SHA-256 is not that of its file');
      }
      isRead = true;
    } catch (error) {
      // a file store answers that something failed: what it was is said here
      problem = { error };
      throw error;
    }
  };
  const kept = await files.put(tenant, file.id, content());
  if (problem !== undefined) throw problem.error;
  if (kept.isErr()) {
    const { cause } = kept.error;
    throw new Error('the content of a work file could not be kept', { cause });
  }
  if (!isRead) throw new Error('the content of a work file was kept before it was read to its end');
}

/** The pieces of one content, up to the size of its file. */
async function* pieces(file: WorkFile, next: () => Promise<ArchiveLine>) {
  let left = file.size;
  while (left > 0) {
    const line = await next();
    const { number } = line;
    const value = objectOf(line);
    if (Reflect.get(value, 'record') !== 'content') {
      throw problemAt(number, 'is no piece of the content of a work file, which is not at its end');
    }
    const { file_id, base64 } = parsed(contentSchema, value, number);
    if (file_id !== file.id) throw problemAt(number, 'is wrong: file_id names another file');
    const bytes = decodeBase64(base64);
    if (bytes === undefined) throw problemAt(number, 'is wrong: base64 is none');
    if (bytes.length === 0) throw problemAt(number, 'is wrong: base64 is empty');
    if (bytes.length > left) throw problemAt(number, 'is wrong: base64 is more than its file has');
    left -= bytes.length;
    yield { bytes, number };
  }
}
