import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf } from '../place.js';

/** The smallest part that S3 accepts, except for the last. */
export const partSize = 5 * 1024 * 1024;
const blockSize = 256 * 1024;

/** A part of a content, ready to be sent. */
export interface Part {
  readonly body: Blob;
  /** Hexadecimal digits. */
  readonly sha256: string;
  readonly isLast: boolean;
}

/**
 * A content in parts of one size, the last one shorter; an empty content is one empty part. At most
 * one part is in memory at a time, and no piece is asked for while a part is being sent.
 *
 * The bytes are copied into Blobs, block by block: every runtime's `fetch` sends a Blob as it is,
 * with its length, but would first copy an array.
 */
export async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const block = new Uint8Array(blockSize);
  let part = beginPart(block);
  for await (const piece of content) {
    let rest = bytesOf(piece);
    while (rest.length > 0) {
      // only now is it certain that more follows
      if (part.size() === partSize) {
        yield part.end(false);
        part = beginPart(block);
      }
      const taken = rest.subarray(0, Math.min(partSize - part.size(), part.room()));
      part.add(taken);
      rest = rest.subarray(taken.length);
    }
  }
  yield part.end(true);
}

function beginPart(block: Uint8Array<ArrayBuffer>) {
  const hash = sha256.create();
  const blobs: Blob[] = [];
  let used = 0;
  const flush = () => {
    if (used > 0) blobs.push(new Blob([block.subarray(0, used)]));
    used = 0;
  };
  return {
    size: () => blobs.length * blockSize + used,
    room: () => blockSize - used,
    add(bytes: Uint8Array) {
      hash.update(bytes);
      block.set(bytes, used);
      used += bytes.length;
      if (used === blockSize) flush();
    },
    end(isLast: boolean): Part {
      flush();
      return { body: new Blob(blobs.splice(0)), sha256: bytesToHex(hash.digest()), isLast };
    },
  };
}
