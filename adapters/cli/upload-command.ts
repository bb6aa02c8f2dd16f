import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { recordTable } from './create-commands.js';
import { fileProblem } from './file-problem.js';
import { createProgress } from './progress.js';
import { parseNumber, type ServiceFlags } from './service-settings.js';
import { withSession } from './session.js';

/** The flags of `dealwright files upload`. */
export interface UploadFlags extends ServiceFlags {
  readonly stageId?: string;
  readonly name?: string;
  readonly contentType?: string;
  readonly idempotencyKey?: string;
}

/**
 * `dealwright files upload`: the file is read from the disk as it is sent, again for each attempt.
 * What comes in on stdin can be sent once.
 */
export function uploadFile(
  process: NodeJS.Process,
  dealId: string,
  path: string,
  flags: UploadFlags,
): Promise<void> {
  return withSession(process, flags, async (session) => {
    const id = parseNumber('the deal', dealId, 1, Number.MAX_SAFE_INTEGER, 'its id');
    const stage = parseNumber('--stage-id', flags.stageId, 1, Number.MAX_SAFE_INTEGER, 'a stage');
    if (id.isErr() || id.value === undefined) {
      return session.complain(
        'a deal is named by its number, as deals create --api-version 1.0 gives it',
      );
    }
    if (stage.isErr()) return session.complain('--stage-id takes a whole number');
    const fromStdin = path === '-';
    if (fromStdin && flags.name === undefined) {
      return session.complain('what comes in on stdin has no name: give it one with --name');
    }
    let file: Blob | undefined;
    try {
      if (!fromStdin) {
        if (!(await stat(path)).isFile()) return session.complain(`${path} is no file`);
        file = await openAsBlob(path);
      }
    } catch (error) {
      return session.complain(fileProblem('read', path, error));
    }
    const progress = createProgress({
      stream: process.stderr,
      shown: session.progress,
      total: file?.size,
    });
    const { idempotencyKey, contentType } = flags;
    const result = await session.api.uploadFile(
      id.value,
      {
        name: flags.name ?? basename(path),
        content: file ?? process.stdin,
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
    if (result.isErr()) return session.fail(result.error);
    await session.show(result.value, () => recordTable(result.value, session.width));
    return 0;
  });
}
