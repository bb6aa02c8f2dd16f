import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileProblem } from './problem.js';
import type { Session } from './session.js';
import { parseNumber } from './settings.js';
import { formatRecord } from './table.js';

/**
 * `dealwright files upload`: the file is read from the disk as it is sent, again for each attempt.
 * What comes in on stdin can be sent once.
 */
export async function uploadFile(session: Session, dealId: string, path: string): Promise<number> {
  const { stageId, name, contentType, idempotencyKey } = session.flags;
  const id = parseNumber('the deal', dealId, 1, Number.MAX_SAFE_INTEGER, 'its id');
  const stage = parseNumber('--stage-id', stageId, 1, Number.MAX_SAFE_INTEGER, 'a stage');
  if (id.isErr() || id.value === undefined) {
    return session.complain(
      'a deal is named by its number, as deals create --api-version 1.0 gives it',
    );
  }
  if (stage.isErr()) return session.complain('--stage-id takes a whole number');
  if (path === '-' && name === undefined) {
    return session.complain('what comes in on stdin has no name: give it one with --name');
  }
  let file: Blob | undefined;
  try {
    if (path !== '-') {
      if (!(await stat(path)).isFile()) return session.complain(`${path} is no file`);
      file = await openAsBlob(path);
    }
  } catch (error) {
    return session.complain(fileProblem('read', path, error));
  }
  const progress = session.createProgress(file?.size);
  const result = await session.api.uploadFile(
    id.value,
    {
      name: name ?? basename(path),
      content: file ?? session.process.stdin,
      ...(stage.value === undefined ? {} : { stage_id: stage.value }),
      ...(contentType === undefined ? {} : { content_type: contentType }),
    },
    {
      ...session.call,
      onProgress: ({ sent }) => progress.at(sent),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    },
  );
  progress.stop();
  return session.answer(result, (record) => formatRecord(record, session.width));
}
