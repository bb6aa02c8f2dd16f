import { err, ok, type Result } from 'neverthrow';
import { isDealId } from '../domain/deal.js';
import { plainError, type UploadFileError, validationFailed } from '../domain/errors.js';
import type { Finding } from '../domain/issues.js';
import type { WorkFile } from '../domain/work-file.js';
import type { UpstreamPorts } from '../ports/marketplace-ports.js';
import type { UpstreamUploadOutcome } from '../ports/upstream-store.js';
import { type Call, type Context, portFailed, promiseBroken } from './context.js';
import { findDeal } from './find-deal.js';
import { beginHash } from './guarded-hash.js';
import { type ContentProblem, type Passage, piecesOf, watch } from './receive-file.js';
import { membersOf, stageSaid, tooManyFiles } from './upload-input.js';

type Uploaded = Result<WorkFile, UploadFileError>;

const port = 'workFiles.add';

/**
 * Uploads a file for a deal that another service keeps, in one request, or answers nothing where a
 * rule of ours is broken already. The deal, its stages and what is in the file are judged there.
 * Where a rule of ours turns out to be broken in the middle, the rest is not sent.
 */
export async function uploadUpstream(
  context: Context,
  { workFiles }: UpstreamPorts,
  call: Call,
  id: unknown,
  input: unknown,
): Promise<Uploaded | undefined> {
  if (!isDealId(id)) return undefined;
  const { stage_id, content, ...said } = membersOf(input) ?? {};
  const isLate = typeof stage_id === 'function';
  const parse = (stage: unknown) => context.parseWorkFile({ ...said, stage_id: stage });
  const early = isLate ? context.parseWorkFile(said) : parse(stage_id);
  const pieces = piecesOf(content);
  if (early.isErr() || pieces.isErr()) return undefined;

  let broken: readonly Finding[] | undefined;
  const lateStage = (): number | undefined => {
    const late = isLate ? stageSaid(stage_id).andThen(parse) : early;
    if (late.isOk()) return late.value.stage_id;
    broken = late.error;
    throw new TypeError('what is behind the content breaks a rule');
  };
  const { fileLimit, guardContent, ports } = context;
  const hash = beginHash(ports.sha256);
  const passage = watch(pieces.value, fileLimit, hash);
  const { idempotencyKey } = call;
  const added = await guardContent('unknown', passage.pieces, (passing) =>
    workFiles.add(call.tenant, {
      ...early.value,
      ...(isLate ? { stage_id: lateStage } : {}),
      deal_id: id,
      content: passing,
      idempotencyKey,
    }),
  );
  const refusal = refusalOf(passage.problem(), broken, context, call);
  if (refusal === undefined) {
    const digest = hash.end();
    if (digest.isErr()) {
      return err(portFailed('sha256', { ...digest.error, outcome: 'unknown' }, call));
    }
    return added.isErr()
      ? err(portFailed(port, added.error, call))
      : answer(added.value, passage, digest.value, call);
  }
  // it was not sent to its end: whether there is such a deal was not answered, and is judged first
  const found = await findDeal(context, call, id);
  return err(found.isErr() ? found.error : refusal);
}

/** What was wrong with the content itself, or with what followed it. */
function refusalOf(
  problem: ContentProblem | undefined,
  broken: readonly Finding[] | undefined,
  { fileLimit }: Context,
  call: Call,
): UploadFileError | undefined {
  if (problem === 'too_large') return tooLarge(fileLimit, call);
  if (problem !== undefined) return validationFailed([problem], call.language);
  return broken && validationFailed(broken, call.language);
}

function tooLarge(max_bytes: number | undefined, call: Call): UploadFileError {
  const limit = max_bytes === undefined ? {} : { max_bytes };
  return Object.freeze({ ...plainError('payload_too_large', call.language), ...limit });
}

function answer(
  decision: UpstreamUploadOutcome | undefined,
  passage: Passage,
  sha256: string,
  call: Call,
): Uploaded {
  const refused = (path: string, code: 'required' | 'unknown_stage' | 'refused_by_scanner') =>
    err(validationFailed([{ path: [path], code, params: {} }], call.language));
  switch (decision?.outcome) {
    case 'stored':
      return isWhatWasSent(decision.file, passage, sha256)
        ? ok(decision.file)
        : err(promiseBroken(port, 'another content than was sent', 'unknown', call));
    case 'missing':
      return err(plainError('not_found', call.language));
    case 'stage_required':
      return refused('stage_id', 'required');
    case 'unknown_stage':
      return refused('stage_id', 'unknown_stage');
    case 'refused':
      return refused('content', 'refused_by_scanner');
    case 'full':
      return err(tooManyFiles(decision.max_files, call));
    case 'too_large':
      return err(tooLarge(decision.max_bytes, call));
    case 'exists':
      return err(plainError('idempotency_key_reused', call.language));
    default:
      return err(promiseBroken(port, 'an outcome that the port does not have', 'unknown', call));
  }
}

/** The service counted and hashed what came: where that differs, something was lost on the way. */
function isWhatWasSent(file: WorkFile, passage: Passage, sha256: string): boolean {
  return file.size === passage.received()?.size && file.sha256 === sha256;
}
