import { systemTimer, within } from '../../shared/timer.js';
import { piecesOfStream } from '../wire/bytes.js';

/** The body of a request; its rest can come after the answer. */
export interface ReceivedBody {
  /** The pieces that have not been read yet. A reader that stops leaves the rest. */
  pieces(): AsyncGenerator<Uint8Array>;
  /** An answer as the body of a response that does not end before the rest has come. */
  answerWith(text: string): string | ReadableStream<Uint8Array>;
}

/** Every runtime takes so many bytes of a body after the answer. */
const smallBody = 64 * 1024;
const lingerBytes = 64 * 1024 * 1024;
/** Every piece counts as at least so many bytes: a tiny one takes as much work. */
const lingerPiece = 1024;
const lingerMilliseconds = 10_000;
/** Deno reads nothing more of some bodies once it answers. */
const idleMilliseconds = 500;

/**
 * Takes the body of a request. It is never cancelled: then Next, Astro and SvelteKit would end the
 * connection, and the answer would be lost. To leave it unread is no better: Workers end the
 * connection 64 KiB after the answer, and the client sees it break while it sends.
 */
export function receive(request: Request): ReceivedBody {
  let all: AsyncGenerator<Uint8Array> | undefined;
  let isEnded = false;

  async function* pieces(): AsyncGenerator<Uint8Array> {
    all ??= piecesOfStream<Uint8Array>(request.body ?? new Blob().stream());
    try {
      // `for await` would cancel the stream if its reader stops
      for (let read = await all.next(); read.done !== true; read = await all.next()) {
        yield read.value;
      }
      isEnded = true;
    } catch (cause) {
      isEnded = true;
      throw cause;
    }
  }

  function isLeft(): boolean {
    if (all !== undefined) return !isEnded;
    // by the Fetch standard they have no body, and reading the property may make a server build one
    const isBare = request.method === 'GET' || request.method === 'HEAD';
    if (isBare || request.bodyUsed || request.body === null) return false;
    return !(Number(request.headers.get('content-length') ?? Number.NaN) <= smallBody);
  }

  /** Reads the rest and discards it, up to a limit of size and of time. */
  async function discard(isStopped: () => boolean): Promise<void> {
    const rest = pieces();
    const end = Date.now() + lingerMilliseconds;
    for (let left = lingerBytes; left > 0 && Date.now() < end && !isStopped(); ) {
      const read = await inTime(rest.next());
      if (read === undefined || read.done === true) return;
      left -= Math.max(read.value.length, lingerPiece);
    }
  }

  return {
    pieces,
    answerWith(text) {
      if (!isLeft()) return text;
      let isStopped = false;
      return new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
        // called as soon as the text is on its way
        async pull(controller) {
          await discard(() => isStopped).catch(() => undefined);
          if (!isStopped) controller.close();
        },
        cancel() {
          isStopped = true;
        },
      });
    },
  };
}

/** What comes before the client has been idle for too long. */
function inTime<T>(coming: Promise<T>): Promise<T | undefined> {
  return within<T | undefined>(systemTimer, idleMilliseconds, () => undefined, coming);
}
