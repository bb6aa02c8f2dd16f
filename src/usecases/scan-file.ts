import { ok } from 'neverthrow';
import { type Unavailable, type ValidationFailed, validationFailed } from '../domain/errors.js';
import type { WorkFile } from '../domain/work-file.js';
import type { PortFailure } from '../ports/answer.js';
import { release } from '../ports/guard-content.js';
import { type Call, type Context, portFailed, promiseBroken } from './context.js';

/** Lets the scanner look into a file that is stored, and says why it is not to be recorded. */
export async function scanFile(
  { ports, guard, guardContent }: Context,
  call: Call,
  file: WorkFile,
): Promise<Unavailable | ValidationFailed | undefined> {
  const { files, scanner } = ports;
  if (scanner === undefined || files === undefined) return undefined;
  const failed = (port: string, failure: PortFailure) =>
    portFailed(port, { ...failure, outcome: 'none' }, call);
  const stored = await guard('none', () => files.get(call.tenant, file.id));
  if (stored.isErr()) return failed('files.get', stored.error);
  const kept = stored.value;
  if (kept === undefined) return promiseBroken('files.get', 'not what was put', 'none', call);

  let unread: PortFailure | undefined;
  /** Each piece is a call of the file store: the scanner's own time is what passes between them. */
  async function* read(from: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const pieces = from[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await guard('none', () => pieces.next().then((piece) => ok(piece)));
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
  const { name, size, sha256, content_type } = file;
  const scanned = await guardContent('none', read(kept), (content) =>
    scanner.scan(call.tenant, { name, size, sha256, content_type, content }),
  );
  // whatever the scanner made of it: it has not seen the file
  if (unread !== undefined) return failed('files.get', unread);
  if (scanned.isErr()) return failed('scanner.scan', scanned.error);
  if (scanned.value === 'accepted') return undefined;
  if (scanned.value !== 'refused') return promiseBroken('scanner.scan', 'no verdict', 'none', call);
  const finding = { path: ['content'], code: 'refused_by_scanner', params: {} } as const;
  return validationFailed([finding], call.language);
}
