import {
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Call, Context } from './context.js';
import { piecesGuarded } from './receive-file.js';

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
