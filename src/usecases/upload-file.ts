import { err, ok, type Result } from 'neverthrow';
import type { CallOptions } from '../api/inputs.js';
import { contentTypeOf } from '../domain/content-type.js';
import type { Deal } from '../domain/deal.js';
import { plainError, type UploadFileError, validationFailed } from '../domain/errors.js';
import { type EventOrigin, workFileStored } from '../domain/events.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { Finding } from '../domain/issues.js';
import type { Tenant } from '../domain/tenant.js';
import { timeOfUlid } from '../domain/ulid.js';
import {
  longestUpload,
  mostFiles,
  type WorkFile,
  type WorkFileTerms,
} from '../domain/work-file.js';
import { type PortFailure, unavailable } from '../ports/answer.js';
import { letGo } from '../ports/guard-content.js';
import type { Versioned } from '../ports/versioned.js';
import {
  type Call,
  type Context,
  idempotencyOf,
  originate,
  portFailed,
  promiseBroken,
  readCall,
} from './context.js';
import { findDeal } from './find-deal.js';
import {
  type ContentProblem,
  isPieces,
  type PortProblem,
  piecesOf,
  type ReceivedContent,
  receive,
} from './receive-file.js';
import { scanFile } from './scan-file.js';
import { membersOf, stageSaid, tooManyFiles } from './upload-input.js';
import { uploadUpstream } from './upload-upstream.js';

/** How often a decision is taken again because somebody else changed the deal meanwhile. */
const maxAttempts = 100;

/**
 * Uploads a file for a deal (interface, Upload a file for a deal). The content is stored before its
 * record, so that a crash between the two leaves a content without a record, to be swept, and never
 * a record without its content.
 */
export async function uploadFile(
  context: Context,
  tenant: Tenant,
  id: unknown,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Result<WorkFile, UploadFileError>> {
  const members = membersOf(input);
  const uploaded = await receiveAndRecord(context, tenant, id, members ?? input, options);
  // where it was refused unread, what the content comes from is still open
  const content = members?.['content'];
  if (uploaded.isErr() && isPieces(content)) letGo(content);
  return uploaded;
}

async function receiveAndRecord(
  context: Context,
  tenant: Tenant,
  id: unknown,
  input: unknown,
  options: CallOptions | undefined,
): Promise<Result<WorkFile, UploadFileError>> {
  const called = readCall(tenant, options);
  if (called.isErr()) return err(called.error);
  const call = called.value;
  const { ports } = context;
  if (ports.upstream !== undefined) {
    const uploaded = await uploadUpstream(context, ports, call, id, input);
    if (uploaded !== undefined) return uploaded;
    // what breaks a rule of ours is not sent, and refused as it is for everybody
  }
  const found = await findDeal(context, call, id);
  if (found.isErr()) return err(found.error);

  const origin = originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const judged = await receiveInput(context, call, input, found.value.value, origin.value.id);
  if (judged.isErr()) return err(judged.error);
  const recorded = await admit(context, call, found.value, judged.value, origin.value);
  const mayBeRecorded = recorded.isOk()
    ? recorded.value.id === origin.value.id
    : recorded.error.code === 'unavailable' && recorded.error.outcome === 'unknown';
  if (!mayBeRecorded) await forget(context, call, origin.value.id);
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
  deal: Deal,
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
    if (mayBeStored && target !== undefined) await forget(context, call, target);
    return err(receiveError(problem, findings, context, call));
  }
  const judged = stageSaid(stage_id).andThen(judge);
  if (judged.isOk()) return ok({ ...judged.value, content: received.value });
  if (target !== undefined) await forget(context, call, target);
  return err(validationFailed(judged.error, call.language));
}

/** The stage that the file is for: a deal with one stage needs none to be named (decision 4). */
function stageOf({ stages }: Deal, named: unknown): Result<number, Finding> {
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
    ? portFailed(problem.port, { ...problem.failure, outcome: 'none' }, call)
    : validationFailed([...findings, problem], call.language);
}

/** Lets the scanner look, and records the file. */
async function admit(
  context: Context,
  call: Call,
  deal: Versioned<Deal>,
  { terms, stage_id, content }: Judged,
  origin: EventOrigin,
): Promise<Result<WorkFile, UploadFileError>> {
  const { name, content_type: declared } = terms;
  const { size, sha256 } = content;
  const content_type = contentTypeOf(content.head, declared);
  const file = {
    id: origin.id,
    stage_id,
    name,
    size,
    sha256,
    content_type,
    uploaded_at: origin.at,
  };

  const refusal = await scanFile(context, call, file);
  if (refusal !== undefined) return err(refusal);
  const command = {
    deal_id: deal.value.id,
    stage_id,
    name,
    size,
    sha256,
    declared: declared ?? '',
  };
  const idempotency = idempotencyOf(context, 'upload_file', command, call);
  if (idempotency.isErr()) return err(idempotency.error);
  return record(context, call, deal, file, origin, idempotency.value);
}

/** Records the file with the deal as it is now, again where somebody else was faster. */
async function record(
  { ports, guard, ...context }: Context,
  call: Call,
  deal: Versioned<Deal>,
  file: WorkFile,
  origin: EventOrigin,
  idempotency: Idempotency | undefined,
): Promise<Result<WorkFile, UploadFileError>> {
  const port = 'deals.addWorkFile';
  let current = deal;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const late = overdue(ports, origin);
    if (late !== undefined) return err(portFailed('system', late, call));
    const { value } = current;
    const isFull =
      value.stages.reduce((sum, stage) => sum + stage.work_files.length, 0) >= mostFiles;
    // no deal has the version 0: what is added to it is never stored, but a key is judged before
    const version = isFull ? 0 : current.version;
    const added = await guard('unknown', () =>
      ports.deals.addWorkFile(call.tenant, {
        deal_id: value.id,
        version,
        file,
        events: [workFileStored(origin, value, file, version + 1)],
        idempotency,
      }),
    );
    if (added.isErr()) return err(portFailed(port, added.error, call));
    const decision = added.value;
    if (decision?.outcome === 'stored') return ok(file);
    if (decision?.outcome === 'missing') return err(plainError('not_found', call.language));
    const isReplay = decision?.outcome === 'exists' && decision.by === 'idempotency_key';
    if (idempotency !== undefined && isReplay) {
      return decision.first.fingerprint === idempotency.fingerprint
        ? ok(decision.first.file)
        : err(plainError('idempotency_key_reused', call.language));
    }
    if (decision?.outcome !== 'stale') {
      return err(promiseBroken(port, 'an outcome that the port does not have', 'unknown', call));
    }
    if (isFull) {
      return err(tooManyFiles(mostFiles, call));
    }
    const again = await findDeal({ ports, guard, ...context }, call, value.id);
    if (again.isErr()) return err(again.error);
    current = again.value;
  }
  const cause = `the deal changed ${maxAttempts} times meanwhile`;
  return err(portFailed(port, unavailable({ outcome: 'none', cause }).error, call));
}

/** Why nothing is recorded any more: the content may be old enough to be swept at the same time. */
function overdue({ timer }: Context['ports'], { id }: EventOrigin): PortFailure | undefined {
  try {
    if (timer.now() - timeOfUlid(id) <= longestUpload) return undefined;
    throw new Error('the upload took more than an hour');
  } catch (cause) {
    return unavailable({ outcome: 'none', cause }).error;
  }
}

/** Takes back a content that no record names; where that fails, it is left to be swept. */
async function forget({ ports, guard }: Context, call: Call, id: string): Promise<void> {
  const { files } = ports;
  if (files !== undefined) await guard('none', () => files.delete(call.tenant, id));
}
