/**
 * A buffer of at most `limit` bytes that come in pieces. They are copied into one array that grows:
 * an object a piece would cost far more.
 */
export function createByteBuffer(limit: number) {
  let bytes: Uint8Array = new Uint8Array();
  let size = 0;
  return {
    size: () => size,
    /** Appends a piece; false where that would be more than the limit. */
    add(piece: Uint8Array): boolean {
      const end = size + piece.length;
      if (end > limit) return false;
      if (size === 0) {
        // it is full, so that nothing is ever written into it
        bytes = piece;
      } else {
        if (end > bytes.length) {
          const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * size)));
          larger.set(bytes);
          bytes = larger;
        }
        bytes.set(piece, size);
      }
      size = end;
      return true;
    },
    /** Hands out what was added and begins anew. */
    take(): Uint8Array {
      const taken = bytes.subarray(0, size);
      bytes = new Uint8Array();
      size = 0;
      return taken;
    },
  };
}

/** All pieces as one, unless they have more than `limit` bytes. */
export async function collectBytes(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | 'too_large'> {
  const buffer = createByteBuffer(limit);
  for await (const piece of pieces) {
    if (!buffer.add(piece)) return 'too_large';
  }
  return buffer.take();
}

/** As much of a `ReadableStream` as it takes to read it. */
interface Readable<T> {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: T | undefined }>;
    cancel(): PromiseLike<unknown>;
  };
}

/** The pieces of a stream, which not every browser can iterate. */
export async function* piecesOfStream<T>(stream: Readable<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield read.value as T;
    }
    isRead = true;
  } finally {
    // nobody waits for the rest, nor for the end of the cancellation
    if (!isRead) reader.cancel().then(undefined, () => undefined);
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });

/** The JSON that the bytes are, or `undefined` where they are not JSON in UTF-8. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
