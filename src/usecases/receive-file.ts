import { err, ok, type Result } from 'neverthrow';
import {
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { decodeBase64, sniffedBytes } from '../domain/values/content.js';
import type { Finding } from '../domain/values/issues.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import { release } from '../ports/guard-content.js';
import { type GuardedHash, hashFailed } from '../ports/guarded-hash.js';
import type { Call, Context } from './context.js';

/** The facts about a content once all of it has come. */
export interface ReceivedContent {
  readonly size: number;
  readonly sha256: string;
  readonly head: Uint8Array;
}

/** Why a content was not received to its end. */
export type ContentProblem = 'too_large' | Finding;

/** A content in transit: counted, hashed and limited. */
export interface Passage {
  readonly pieces: AsyncIterable<Uint8Array>;
  problem(): ContentProblem | undefined;
  /** `undefined` before the end. */
  received(): Omit<ReceivedContent, 'sha256'> | undefined;
}

/** The pieces of a content, or the rule that it breaks before any of it is read. */
export function piecesOf(content: unknown): Result<AsyncIterable<Uint8Array>, Finding> {
  if (typeof content === 'string') {
    const bytes = decodeBase64(content);
    return bytes === undefined ? err(finding('invalid_base64')) : ok(onePiece(bytes));
  }
  if (isBytes(content)) return ok(onePiece(content));
  if (isPieces(content)) return ok(content);
  if (content === undefined) return err(finding('required'));
  if (content === null) return err(finding('null_not_allowed'));
  return err({ path: ['content'], code: 'wrong_type', params: { expected: 'content' } });
}

/**
 * Reads a content to its end: into the file store, or discarding it if it cannot be recorded and
 * only its stage is still to come.
 */
export async function receive(
  { ports, fileLimit }: Context,
  call: Call,
  id: string | undefined,
  content: AsyncIterable<Uint8Array>,
): Promise<Result<ReceivedContent, ContentProblem | PortProblem>> {
  const hash = ports.beginHash();
  const passage = watch(content, fileLimit, hash);
  const stored =
    id === undefined
      ? await drain(passage.pieces)
      : await ports.putFile(call.tenant, id, passage.pieces);
  const problem = passage.problem();
  if (problem !== undefined) return err(problem);
  const digest = hash.end();
  if (digest.isErr()) return err(digest.error);
  if (stored.isErr()) return err(stored.error);
  const received = passage.received();
  if (received !== undefined) return ok({ ...received, sha256: digest.value });
  const cause = new Error('the content is said to be stored before it was all read');
  return err(portProblem('files.put', { retryable: false, cause }));
}

/** Passes a content on, piece by piece, and collects the facts for its record. */
export function watch(
  content: AsyncIterable<Uint8Array>,
  limit: number,
  hash: GuardedHash,
): Passage {
  let size = 0;
  let head = new Uint8Array();
  let problem: ContentProblem | undefined;
  let isWhole = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of content) {
        if (!isBytes(piece)) throw new TypeError('a piece is not bytes');
        size += piece.length;
        if (size > limit) {
          problem = 'too_large';
          break;
        }
        hash.update(piece);
        if (head.length < sniffedBytes) {
          head = Uint8Array.from([...head, ...piece.subarray(0, sniffedBytes - head.length)]);
        }
        yield piece;
      }
    } catch (cause) {
      if (cause !== hashFailed) problem = formProblem(cause) ?? finding('unreadable');
      throw cause;
    }
    if (problem !== undefined) throw new RangeError('the content is too large');
    isWhole = true;
  }
  return {
    pieces: pieces(),
    problem: () => problem,
    received: () => (isWhole ? { size, head } : undefined),
  };
}

async function drain(pieces: AsyncIterable<Uint8Array>): Promise<Result<'stored', PortProblem>> {
  try {
    for await (const _ of pieces);
    return ok('stored');
  } catch (cause) {
    return err(portProblem('content', { cause }));
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function finding(code: 'required' | 'null_not_allowed' | 'invalid_base64' | 'unreadable'): Finding {
  return { path: ['content'], code, params: {} };
}

/** The reader of a form throws the issues of the form while the content is read. */
function formProblem(cause: unknown): ContentProblem | undefined {
  const { code } = Object(cause) as { readonly code?: unknown };
  if (code === 'too_large') return code;
  // without a file, or with two
  if (code === 'required' || code === 'repeated') return { path: ['file'], code, params: {} };
  return code === 'malformed_form' ? { path: [], code, params: {} } : undefined;
}

function isBytes(value: unknown): value is Uint8Array {
  // of another realm too, but not another typed array
  return (
    ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
  );
}

/**
 * The pieces of a stored content: each is a call of the file store, with its own deadline. A
 * failure is thrown, after a call of `onProblem`.
 */
export async function* piecesGuarded(
  { nextPiece }: Pick<Context['ports'], 'nextPiece'>,
  content: AsyncIterable<Uint8Array>,
  onProblem: (problem: PortProblem) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextPiece(pieces);
      if (next.isErr()) {
        onProblem(next.error);
        throw next.error.cause;
      }
      if (next.value.done === true) return;
      yield next.value.value;
    }
  } finally {
    release(pieces);
  }
}

/** Says whether a content comes piece by piece. */
export function isPieces(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Lets the scanner examine a stored file, and returns why it must not be recorded. */
export async function scanFile(
  { ports }: Context,
  { tenant }: Call,
  { id, name, size, sha256, content_type }: Row<'work_file'>,
): Promise<PortProblem | WithoutMessage<ValidationFailed> | undefined> {
  if (ports.scan === undefined) return undefined;
  const stored = await ports.getFile(tenant, id);
  if (stored.isErr()) return stored.error;
  const kept = stored.value;
  if (kept === undefined) {
    const cause = new Error('the content that was put is missing');
    return portProblem('files.get', { retryable: false, cause });
  }

  let unread: PortProblem | undefined;
  // the scanner's own time is the time between two pieces
  const content = piecesGuarded(ports, kept, (problem) => {
    unread = problem;
  });
  const verdict = await ports.scan(tenant, { name, size, sha256, content_type, content });
  // the scanner has not seen the whole file, so its answer does not count
  if (unread !== undefined) return unread;
  if (verdict.isErr()) return verdict.error;
  if (verdict.value === 'accepted') return undefined;
  return validationFailed({ path: ['content'], code: 'refused_by_scanner', params: {} });
}
