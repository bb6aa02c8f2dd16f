import type { Unavailable, ValidationFailed } from '../domain/errors.js';
import { validationFailed } from '../domain/errors.js';
import type { Row } from '../domain/records.js';
import { release } from '../ports/guard-content.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import { type Call, type Context, unavailableError } from './context.js';

/** Lets the scanner look into a file that is stored, and says why it is not to be recorded. */
export async function scanFile(
  { ports }: Context,
  call: Call,
  { id, name, size, sha256, content_type }: Row<'work_file'>,
): Promise<Unavailable | ValidationFailed | undefined> {
  if (ports.scan === undefined) return undefined;
  const stored = await ports.getFile(call.tenant, id);
  if (stored.isErr()) return unavailableError(stored.error, call);
  const kept = stored.value;
  if (kept === undefined) {
    const cause = new Error('the content that was put is missing');
    return unavailableError(portProblem('files.get', { retryable: false, cause }), call);
  }

  let unread: PortProblem | undefined;
  /** Each piece is a call of the file store: the scanner's own time is what passes between them. */
  async function* read(from: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const pieces = from[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await ports.nextPiece(pieces);
        if (next.isErr()) {
          unread = next.error;
          throw unread.cause;
        }
        if (next.value.done === true) return;
        yield next.value.value;
      }
    } finally {
      release(pieces);
    }
  }
  const content = read(kept);
  const verdict = await ports.scan(call.tenant, { name, size, sha256, content_type, content });
  // whatever the scanner made of it: it has not seen the file
  if (unread !== undefined) return unavailableError(unread, call);
  if (verdict.isErr()) return unavailableError(verdict.error, call);
  if (verdict.value === 'accepted') return undefined;
  const finding = { path: ['content'], code: 'refused_by_scanner', params: {} } as const;
  return validationFailed([finding], call.language);
}
