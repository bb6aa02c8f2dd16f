import { err, ok, type Result } from 'neverthrow';
import type { DownloadedFile } from '../api/answers.js';
import { type NotFound, notFound, type WithoutMessage } from '../domain/input/errors.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { Call, Context } from './context.js';
import type { Finder } from './find-deal.js';
import { piecesGuarded } from './receive-file.js';

/** A work file with its content (decision 6.4). */
export async function downloadFile<R>(
  { ports }: Context,
  { tenant }: Call,
  { find }: Finder<R>,
  file_id: unknown,
): Promise<Result<DownloadedFile, R | PortProblem | WithoutMessage<NotFound>>> {
  const found = await find(['work_file']);
  if (found.isErr()) return err(found.error);
  const row = found.value.work_file.find(({ id }) => id === file_id);
  if (row === undefined) return err(notFound('work_file'));
  const content = await ports.getFile(tenant, row.id);
  if (content.isErr()) return err(content.error);
  if (content.value === undefined) {
    const cause = new Error('the content of a recorded file is missing');
    return err(portProblem('files.get', { retryable: false, cause }));
  }
  const { id, name, size, sha256, content_type } = row;
  return ok({ id, name, size, sha256, content_type, content: piecesGuarded(ports, content.value) });
}
