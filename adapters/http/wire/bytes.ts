/**
 * A buffer of at most `limit` bytes that come in pieces. They are copied into one array that grows:
 * one object for each piece would cost far more.
 */
export function createByteBuffer(limit: number) {
  let bytes: Uint8Array = new Uint8Array();
  let size = 0;
  return {
    size: () => size,
    /** Appends a piece; false if that would be more than the limit. */
    add(piece: Uint8Array): boolean {
      const end = size + piece.length;
      if (end > limit) return false;
      if (size === 0) {
        // the array of the piece is full: it is never written to
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
    /** Returns the bytes that were added, and begins anew. */
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

/** The part of a `ReadableStream` that is needed to read it. */
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
    // neither the rest nor the end of the cancellation is waited for
    if (!isRead) reader.cancel().then(undefined, () => undefined);
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });

/** The value of JSON in bytes, or `undefined` if they are not JSON in UTF-8. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The bytes of base64 (RFC 4648, section 4); throws for anything else. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
