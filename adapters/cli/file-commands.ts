import { createHash } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DownloadedFile, WorkFile } from 'dealwright';
import type { ClientFileUpload, ClientUploadOptions } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import { keyOption, option } from './command-row.js';
import type { Failure } from './describe-failure.js';
import { formatRecord, formatTable } from './output.js';
import { fileProblem } from './problem.js';
import type { Session } from './session.js';
import { parseId } from './settings.js';

export const uploadOptions = [
  option(
    '--stage-id <number>',
    'may be left out if the deal has one stage, besides cancelled stages and bonuses',
  ),
  option('--name <text>', 'another name than that of the file'),
  option('--content-type <type>', 'media type'),
  keyOption,
];
export const downloadOptions = [
  option('--out <path>', 'a new file; without it the content goes to stdout'),
];

type Upload = (upload: ClientFileUpload, call: ClientUploadOptions) => ResultAsync<object, Failure>;

export async function uploadFile(session: Session, dealId: string, path: string): Promise<number> {
  const { api, flags } = session;
  if (flags.byPartnerId === true) {
    return sendFile(session, path, (...given) => api.uploadFile({ partner_id: dealId }, ...given));
  }
  const id = parseId(dealId);
  return id === undefined
    ? session.complain(
        'a deal is named by its number, as deals create --api-version 1.0 gives it, or with --by-partner-id by your own id',
      )
    : sendFile(session, path, (...given) => api.uploadFile({ id }, ...given));
}

/**
 * The file is read as it is sent, again for each attempt. A file on stdin can be sent only once.
 */
export async function sendFile(session: Session, path: string, send: Upload): Promise<number> {
  const { stageId, name, contentType } = session.flags;
  const stage_id = stageId === undefined ? undefined : parseId(stageId);
  if (stageId !== undefined && stage_id === undefined) {
    return session.complain('--stage-id takes a whole number');
  }
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
  const upload: ClientFileUpload = {
    name: name ?? basename(path),
    content: file ?? session.process.stdin,
    ...(stage_id === undefined ? {} : { stage_id }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
  };
  const call: ClientUploadOptions = {
    ...session.call,
    onProgress: ({ sent }) => progress.at(sent),
  };
  const result = await send(upload, call);
  progress.stop();
  return session.answer(result, (record) => formatRecord(record, session.width));
}

/** Shows the files that a call has listed. */
export async function showFiles(
  session: Session,
  listed: ResultAsync<readonly WorkFile[], Failure>,
): Promise<number> {
  return session.answer(await listed, (files) =>
    files.length === 0 ? 'no files\n' : fileTable(files, session.width),
  );
}

function fileTable(files: readonly WorkFile[], width: number | undefined): string {
  const head = ['id', 'stage_id', 'status', 'size', 'content_type', 'uploaded_at', 'by', 'name'];
  return formatTable(
    files.map((file) => [
      ...[file.id, file.stage_id, file.status, file.size],
      ...[file.content_type, file.uploaded_at, file.by ?? '-', file.name],
    ]),
    { head, right: [1, 3], flexible: 7, width },
  );
}

/**
 * The content is written as it comes: to stdout, or to a new file, which is removed after a
 * failure.
 */
export async function saveFile(
  session: Session,
  download: () => ResultAsync<DownloadedFile, Failure>,
): Promise<number> {
  const { out, json } = session.flags;
  if (out === undefined && json === true) {
    return session.complain('without --out the content goes to stdout: leave --json out');
  }
  if (out !== undefined && existsSync(out)) return session.complain(existing(out));
  const result = await download();
  if (result.isErr()) return session.fail(result.error);
  const { content, ...file } = result.value;
  if (out === undefined) return passOn(session, result.value, session.write);
  let target: FileHandle;
  try {
    target = await open(out, 'wx');
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    return session.complain(isTaken ? existing(out) : fileProblem('write', out, error));
  }
  const progress = session.createProgress(file.size);
  let written = 0;
  const code = await passOn(session, result.value, async (piece) => {
    await target.writeFile(piece);
    written += piece.length;
    progress.at(written);
    return true;
  });
  progress.stop();
  await target.close();
  if (code === 0) await session.show(file, () => formatRecord(file, session.width));
  else await rm(out, { force: true });
  return code;
}

const existing = (path: string) => `${path} exists already, and is not overwritten`;

/** Passes a content on, piece by piece, until the reader ends, and says whether it was complete. */
async function passOn(
  session: Session,
  { content, sha256 }: DownloadedFile,
  write: (piece: Uint8Array) => Promise<boolean>,
): Promise<number> {
  const hash = createHash('sha256');
  try {
    for await (const piece of content) {
      hash.update(piece);
      if (!(await write(piece))) return 0;
    }
  } catch (error) {
    return session.breakOff(error);
  }
  return hash.digest('hex') === sha256
    ? 0
    : session.breakOff('the content is not that of the file');
}
