import { type ToNdjsonOptions, toNdjson } from 'dealwright/archive';
import type { ArchiveRecord } from 'dealwright/ports';

/** Items one by one. */
export async function* streamed<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** All items. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The bytes of an archive. */
export async function bytesOf(
  records: readonly ArchiveRecord[],
  options: ToNdjsonOptions = {},
): Promise<Buffer> {
  return Buffer.concat(await listOf(toNdjson(streamed(records), options)));
}
