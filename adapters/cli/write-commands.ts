import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type BodyKind, fieldsOf, membersOf, strayFlags } from './fields.js';
import { readBody } from './input.js';
import { fileProblem } from './problem.js';
import type { Session } from './session.js';
import { parseId } from './settings.js';
import { formatRecord } from './table.js';

export async function createDeal(session: Session): Promise<number> {
  const { apiVersion = '2.0' } = session.flags;
  const [kind, otherKind, otherVersion] =
    apiVersion === '1.0'
      ? (['deal', 'deal_v2', '2.0'] as const)
      : (['deal_v2', 'deal', '1.0'] as const);
  const stray = strayFlags(fieldsOf[kind], fieldsOf[otherKind], session.flags);
  if (stray.length > 0) {
    return session.complain(
      `a deal of version ${apiVersion} has no ${stray.join(', ')}: give --api-version ${otherVersion}, or leave it out`,
    );
  }
  return create(session, kind);
}

/** Creates what a file and flags say. */
export async function create(session: Session, kind: BodyKind): Promise<number> {
  const { process, flags, width } = session;
  const { file } = flags;
  const members = membersOf(fieldsOf[kind], flags);
  if (members.isErr()) return session.complain(members.error);
  let body = members.value;
  if (file !== undefined) {
    const read = await readBody(process, file);
    if (read.isErr()) return session.complain(read.error);
    body = { ...read.value, ...body };
  } else if (Object.keys(body).length === 0) {
    return session.complain(
      'nothing is given: use the flags of the fields, or --file (- is stdin)',
    );
  }
  const result = await session.create(kind, body, session.call);
  return session.answer(result, (record) => formatRecord(record, width));
}

/** The file is read as it is sent, again for each attempt. What comes on stdin can be sent once. */
export async function uploadFile(session: Session, dealId: string, path: string): Promise<number> {
  const { stageId, name, contentType } = session.flags;
  const id = parseId(dealId);
  if (id === undefined) {
    return session.complain(
      'a deal is named by its number, as deals create --api-version 1.0 gives it',
    );
  }
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
  const result = await session.api.uploadFile(
    id,
    {
      name: name ?? basename(path),
      content: file ?? session.process.stdin,
      ...(stage_id === undefined ? {} : { stage_id }),
      ...(contentType === undefined ? {} : { content_type: contentType }),
    },
    { ...session.call, onProgress: ({ sent }) => progress.at(sent) },
  );
  progress.stop();
  return session.answer(result, (record) => formatRecord(record, session.width));
}
