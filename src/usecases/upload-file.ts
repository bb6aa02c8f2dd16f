import { err, ok, type Result } from 'neverthrow';
import { contentTypeOf } from '../domain/content-type.js';
import { isDealId } from '../domain/deal.js';
import {
  plainError,
  preconditionFailed,
  type Unavailable,
  type UploadFileError,
  validationFailed,
} from '../domain/errors.js';
import { type EventOrigin, workFileStored } from '../domain/events.js';
import type { Finding } from '../domain/issues.js';
import type { Row } from '../domain/records.js';
import { openForFiles } from '../domain/stage.js';
import { timeOfUlid } from '../domain/ulid.js';
import {
  longestUpload,
  mostFiles,
  type WorkFile,
  type WorkFileTerms,
  workFileOf,
} from '../domain/work-file.js';
import { releaseContent } from '../ports/guard-content.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { DealWith } from '../ports/store.js';
import { commit, originate } from './commit.js';
import { type Call, type Context, unavailableError } from './context.js';
import {
  type ContentProblem,
  isPieces,
  piecesOf,
  type ReceivedContent,
  receive,
} from './receive-file.js';
import { findDeal } from './retrieve-deal.js';
import { scanFile } from './scan-file.js';
import { membersOf, stageSaid } from './upload-input.js';

/**
 * Uploads a file for a deal (interface, Upload a file for a deal). The content is stored before its
 * record, so that a crash between the two leaves a content without a record, to be swept, and never
 * a record without its content.
 */
export async function uploadFile(
  context: Context,
  call: Call,
  id: unknown,
  input: unknown,
): Promise<Result<WorkFile, UploadFileError>> {
  const members = membersOf(input);
  const upload = () => receiveAndRecord(context, call, id, members ?? input);
  const { environment, partner } = call.tenant;
  const uploaded = isDealId(id)
    ? await context.uploads(JSON.stringify([environment, partner, id]), upload)
    : await upload();
  // where it was refused unread, what the content comes from is still open
  const content = members?.['content'];
  if (uploaded.isErr() && isPieces(content)) releaseContent(content);
  return uploaded;
}

async function receiveAndRecord(
  context: Context,
  call: Call,
  id: unknown,
  input: unknown,
): Promise<Result<WorkFile, UploadFileError>> {
  const found = await findDeal(context, call, id, ['stage']);
  if (found.isErr()) return err(found.error);
  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const judged = await receiveInput(context, call, input, found.value, origin.value.id);
  if (judged.isErr()) return err(judged.error);
  const recorded = await record(context, call, found.value, judged.value, origin.value);
  const mayBeRecorded = recorded.isOk()
    ? recorded.value.id === origin.value.id
    : recorded.error.code === 'unavailable' && recorded.error.outcome === 'unknown';
  if (!mayBeRecorded) await context.ports.deleteFile(call.tenant, origin.value.id);
  return recorded;
}

/** What is to be recorded, once its content is stored. */
interface Judged {
  readonly terms: WorkFileTerms;
  readonly stage_id: number;
  readonly content: ReceivedContent;
}

/**
 * Judges what is said of the file before its content is read, but for a stage that follows it. Where
 * something is wrong already, the content is read all the same if the stage is behind it, so that
 * every problem is told at once; it is not stored then.
 */
async function receiveInput(
  context: Context,
  call: Call,
  input: unknown,
  deal: DealWith<'stage'>,
  id: string,
): Promise<Result<Judged, UploadFileError>> {
  const members = membersOf(input);
  const { stage_id, content, ...said } = members ?? {};
  const isLate = typeof stage_id === 'function';
  const judge = (stage: unknown): Result<Omit<Judged, 'content'>, readonly Finding[]> => {
    const parsed = context.parseWorkFile(
      members === undefined ? input : { ...said, stage_id: stage },
    );
    const broken = parsed.isErr() ? parsed.error : [];
    const isJudged = broken.some(({ path }) => path.length === 0 || path[0] === 'stage_id');
    const known = isJudged ? ok(0) : stageOf(deal, stage);
    if (known.isErr()) return err([known.error, ...broken]);
    return parsed.map((terms) => ({ terms, stage_id: known.value }));
  };
  const early = isLate ? context.parseWorkFile(said) : judge(stage_id);
  const findings = early.isErr() ? [...early.error] : [];
  const pieces = piecesOf(content);
  if (pieces.isErr() && members !== undefined) findings.push(pieces.error);
  if (pieces.isErr() || (findings.length > 0 && !isLate)) {
    return err(validationFailed(findings, call.language));
  }

  const target = findings.length === 0 ? id : undefined;
  const received = await receive(context, call, target, pieces.value);
  if (received.isErr()) {
    const problem = received.error;
    // a store that failed may have stored all the same, and where only the digest failed, it has
    const mayBeStored = typeof problem === 'object' && 'port' in problem;
    if (mayBeStored && target !== undefined) await context.ports.deleteFile(call.tenant, target);
    return err(receiveError(problem, findings, context, call));
  }
  const judged = stageSaid(stage_id).andThen(judge);
  if (judged.isOk()) return ok({ ...judged.value, content: received.value });
  if (target !== undefined) await context.ports.deleteFile(call.tenant, target);
  return err(validationFailed(judged.error, call.language));
}

/** The stage that the file is for: a deal with one stage needs none to be named (decision 4). */
function stageOf({ stage: stages }: DealWith<'stage'>, named: unknown): Result<number, Finding> {
  const [first, second] = stages;
  if (named === undefined && first !== undefined && second === undefined) return ok(first.id);
  const stage = stages.find(({ id }) => id === named);
  if (stage !== undefined) return ok(stage.id);
  const code = named === undefined ? 'required' : 'unknown_stage';
  return err({ path: ['stage_id'], code, params: {} });
}

function receiveError(
  problem: ContentProblem | PortProblem,
  findings: readonly Finding[],
  { fileLimit }: Context,
  call: Call,
): UploadFileError {
  if (problem === 'too_large') {
    return Object.freeze({
      ...plainError('payload_too_large', call.language),
      max_bytes: fileLimit,
    });
  }
  return 'port' in problem
    ? unavailableError(problem, call)
    : validationFailed([...findings, problem], call.language);
}

/** Lets the scanner look, and records the file. */
async function record(
  context: Context,
  call: Call,
  { deal }: DealWith<'stage'>,
  { terms, stage_id, content }: Judged,
  origin: EventOrigin,
): Promise<Result<WorkFile, UploadFileError>> {
  const { name, content_type: declared = '' } = terms;
  const { size, sha256, head } = content;
  const { partner_id } = deal;
  const row: Row<'work_file'> = {
    id: origin.id,
    partner_id,
    stage_id,
    name,
    size,
    sha256,
    content_type: contentTypeOf(head, terms.content_type),
    uploaded_at: origin.at,
  };
  const refusal = (await scanFile(context, call, row)) ?? overdue(context, call, origin);
  if (refusal !== undefined) return err(refusal);
  return commit<WorkFile, UploadFileError>(context, call, {
    operation: 'upload_file',
    input: { deal_id: deal.id, stage_id, name, size, sha256, declared },
    keyScope: 'work_file',
    origin,
    conditions: [
      { expect: { absent: 'work_file', key: row.id }, refusal: () => idGivenTwice(call) },
      {
        expect: {
          present: 'stage',
          key: stage_id,
          where: { partner_id: [partner_id], status: openForFiles },
        },
        refusal: () => preconditionFailed('stage_closed', call.language),
      },
      {
        expect: { fewer: 'work_file', under: partner_id, than: mostFiles },
        refusal: () => tooManyFiles(call),
      },
    ],
    insert: [{ kind: 'work_file', row }],
    subject: { kind: 'deal', key: partner_id },
    events: [workFileStored(origin, row)],
    answer: workFileOf(row),
  });
}

function tooManyFiles({ language }: Call) {
  const params = { max: mostFiles };
  return validationFailed([{ path: ['content'], code: 'too_many_files', params }], language);
}

function idGivenTwice(call: Call): Unavailable {
  const cause = new Error('a file has this id already');
  return unavailableError(portProblem('ids.next', { cause }), call);
}

/** Why nothing is recorded any more: the content may be old enough to be swept at the same time. */
function overdue({ ports }: Context, call: Call, { id }: EventOrigin): Unavailable | undefined {
  const now = ports.realTime();
  if (now.isErr()) return unavailableError(now.error, call);
  if (now.value - timeOfUlid(id) <= longestUpload) return undefined;
  const cause = new Error('the upload took more than an hour');
  return unavailableError(portProblem('timer.now', { cause }), call);
}
