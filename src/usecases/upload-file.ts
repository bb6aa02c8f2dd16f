import { err, ok, type Result } from 'neverthrow';
import { openForFiles } from '../domain/deals/stage.js';
import {
  longestUpload,
  mostFiles,
  mostOfStage,
  type WorkFile,
  type WorkFileTerms,
  workFileOf,
} from '../domain/deals/work-file.js';
import { type EventOrigin, workFileStored } from '../domain/events/events.js';
import {
  type UploadFileError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { copyMembers } from '../domain/input/parser.js';
import { remainingStages } from '../domain/payments/owed.js';
import type { Row } from '../domain/records/records.js';
import { secretsIn } from '../domain/records/stored.js';
import { contentTypeOf } from '../domain/values/content.js';
import type { Finding } from '../domain/values/issues.js';
import type { DealStatus } from '../domain/values/status.js';
import { timeOfUlid } from '../domain/values/ulid.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import { releaseContent } from '../ports/guard-content.js';
import type { DealWith } from '../ports/store.js';
import { foreign } from './claim-files.js';
import { commit, findAnswer, type Keyed, originate } from './commit.js';
import type { Call, Context, Refusal } from './context.js';
import type { Finder } from './find-deal.js';
import { isPieces, piecesOf, type ReceivedContent, receive, scanFile } from './receive-file.js';

type NotUploaded = WithoutMessage<UploadFileError>;

/**
 * Uploads a file for a deal (interface, Upload a file for a deal). The content is stored before its
 * record: a crash between the two leaves a content without a record, which is swept, and never a
 * record without its content.
 */
export async function uploadFile<R extends Refusal>(
  context: Context,
  call: Call,
  finder: Finder<R>,
  input: unknown,
): Promise<Result<WorkFile, NotUploaded | R>> {
  const members = copyMembers(input);
  const uploaded = await receiveAndRecord(context, call, finder, members ?? input);
  // if it was refused unread, the source of the content is still open
  const content = members?.['content'];
  if (uploaded.isErr() && isPieces(content)) releaseContent(content);
  return uploaded;
}

async function receiveAndRecord<R extends Refusal>(
  context: Context,
  call: Call,
  { name, find }: Finder<R>,
  input: unknown,
): Promise<Result<WorkFile, NotUploaded | R>> {
  const found = await find(['stage']);
  if (found.isErr()) return err(found.error);
  const origin = await originate(context, call);
  if (origin.isErr()) return err(origin.error);
  const judged = await receiveInput(context, call, input, found.value, origin.value.id);
  if (judged.isErr()) return err(judged.error);
  const recorded = await record(context, call, name, found.value, judged.value, origin.value);
  const mayBeRecorded = recorded.isOk()
    ? recorded.value.id === origin.value.id
    : recorded.error.code === 'unavailable' && recorded.error.outcome === 'unknown';
  if (!mayBeRecorded) await context.ports.deleteFile(call.tenant, origin.value.id);
  // answers stored under a key before `by` existed have none
  return recorded.map((file) => ({ ...file, by: file.by ?? null }));
}

/** The values to record, once the content is stored. */
interface Judged {
  readonly terms: WorkFileTerms;
  readonly stage_id: number;
  readonly content: ReceivedContent;
}

/**
 * Checks the members of the file before its content is read, except for a stage that follows the
 * content. If a member breaks a rule and the stage follows, the content is still read, so that
 * every problem is reported at once; then it is not stored.
 */
async function receiveInput(
  context: Context,
  call: Call,
  input: unknown,
  deal: DealWith<'stage'>,
  id: string,
): Promise<Result<Judged, NotUploaded>> {
  const members = copyMembers(input);
  const { stage_id, content, ...said } = members ?? {};
  const isLate = typeof stage_id === 'function';
  const isNamed = stage_id !== undefined && !isLate;
  const unnamed = isNamed ? ok(undefined) : await unnamedStage(context, call, deal, id);
  if (unnamed.isErr()) return err(unnamed.error);
  const judge = (stage: unknown): Result<Omit<Judged, 'content'>, readonly Finding[]> => {
    const parsed = context.parseWorkFile(
      members === undefined ? input : { ...said, stage_id: stage },
    );
    const broken = parsed.isErr() ? parsed.error : [];
    const isJudged = broken.some(({ path }) => path.length === 0 || path[0] === 'stage_id');
    const known = isJudged ? ok(0) : stageOf(deal, stage, unnamed.value);
    if (known.isErr()) return err([known.error, ...broken]);
    return parsed.andThen((terms) => {
      const secrets = secretsIn(deal.deal, { name: terms.name, content_type: terms.content_type });
      return secrets.length > 0 ? err(secrets) : ok({ terms, stage_id: known.value });
    });
  };
  const early = isLate ? context.parseWorkFile(said) : judge(stage_id);
  const findings = early.isErr() ? [...early.error] : [];
  const pieces = piecesOf(content);
  if (pieces.isErr() && members !== undefined) findings.push(pieces.error);
  if (pieces.isErr() || (findings.length > 0 && !isLate)) {
    return err(validationFailed(...findings));
  }

  const target = findings.length === 0 ? id : undefined;
  const refusal = target === undefined ? undefined : await refusalOf(context);
  if (refusal !== undefined) return err(refusal);
  const received = await receive(context, call, target, pieces.value);
  if (received.isErr()) {
    const problem = received.error;
    // a failed store may have stored it all the same; if only the digest failed, it is stored
    const mayBeStored = typeof problem === 'object' && 'port' in problem;
    if (mayBeStored && target !== undefined) await context.ports.deleteFile(call.tenant, target);
    if (problem === 'too_large') {
      return err({ code: 'payload_too_large', max_bytes: context.fileLimit });
    }
    return err('port' in problem ? problem : validationFailed(...findings, problem));
  }
  const judged = stageSaid(stage_id).andThen(judge);
  if (judged.isOk()) return ok({ ...judged.value, content: received.value });
  if (target !== undefined) await context.ports.deleteFile(call.tenant, target);
  return err(validationFailed(...judged.error));
}

/** Why no content may be stored: the store that the contents belong to would sweep this one. */
async function refusalOf({ claims }: Context): Promise<PortProblem | undefined> {
  const owned = await claims.last();
  // none of the content is stored yet
  if (owned.isErr()) return { ...owned.error, outcome: 'none' };
  const why = foreign(owned.value);
  if (why === undefined) return undefined;
  const cause = new Error(`nothing is uploaded: ${why}`);
  return portProblem('files', { retryable: false, cause });
}

/** The stage that was named before the content or after it. */
function stageSaid(stage_id: unknown): Result<unknown, readonly Finding[]> {
  try {
    return ok(typeof stage_id === 'function' ? stage_id() : stage_id);
  } catch {
    return err([{ path: ['stage_id'], code: 'unreadable', params: {} }]);
  }
}

/** The stage that the file is for. */
function stageOf(
  { stage: stages }: DealWith<'stage'>,
  named: unknown,
  unnamed: number | undefined,
): Result<number, Finding> {
  const stage = named === undefined ? unnamed : stages.find(({ id }) => id === named)?.id;
  if (stage !== undefined) return ok(stage);
  const code = named === undefined ? 'required' : 'unknown_stage';
  return err({ path: ['stage_id'], code, params: {} });
}

/**
 * The stage of a file that names none: the one stage of work (decision 4), or that of the first file
 * under its key, if the stages have changed since. A bonus that was added to a deal changes no
 * upload.
 */
async function unnamedStage(
  context: Context,
  call: Call,
  deal: DealWith<'stage'>,
  attempt: string,
): Promise<Result<number | undefined, PortProblem>> {
  const ofWork = deal.stage.filter(({ kind }) => kind !== 'bonus');
  const remaining = remainingStages({ stage: ofWork });
  const [first, second] = remaining.length === 0 ? ofWork : remaining;
  const isOnly = first !== undefined && second === undefined;
  return isOnly ? ok(first.id) : firstStage(context, call, deal, attempt);
}

/** The stage of the first file under the key of this call, if there is one. */
async function firstStage(
  context: Context,
  call: Call,
  { deal }: DealWith<'stage'>,
  attempt: string,
): Promise<Result<number | undefined, PortProblem>> {
  const found = await findAnswer(context, call, attempt, keyScopeOf(call, deal.partner_id));
  return found.map((met) => met && (JSON.parse(met.answer) as WorkFile).stage_id);
}

/** A partner's key names one file of all its deals; a freelancer has only one deal. */
const keyScopeOf = ({ actor }: Call, partner_id: string): Keyed['keyScope'] =>
  actor === 'partner' ? 'work_file' : `work_file ${actor} ${partner_id}`;

/** Lets the scanner examine the file, and records it. */
async function record(
  context: Context,
  call: Call,
  dealName: string,
  state: DealWith<'stage'>,
  { terms, stage_id, content }: Judged,
  origin: EventOrigin,
): Promise<Result<WorkFile, NotUploaded>> {
  const { name, content_type: declared = '' } = terms;
  const { size, sha256, head } = content;
  const { deal } = state;
  const { partner_id } = deal;
  const by = call.actor === 'freelancer' ? 'freelancer' : 'partner';
  const row: Row<'work_file'> = {
    id: origin.id,
    partner_id,
    stage_id,
    name,
    size,
    sha256,
    content_type: contentTypeOf(head, terms.content_type),
    uploaded_at: origin.at,
    status: 'stored',
    uploaded_by: by,
  };
  const refusal = (await scanFile(context, call, row)) ?? overdue(context, origin);
  if (refusal !== undefined) return err(refusal);
  const write = (row: Row<'work_file'>) => {
    const { stage_id } = row;
    return commit<WorkFile, NotUploaded>(context, call, {
      operation: 'upload_file',
      input: { deal_id: deal.id, stage_id, name, size, sha256, declared },
      keyScope: keyScopeOf(call, partner_id),
      origin,
      conditions: [
        { expect: { absent: 'work_file', key: row.id }, refusal: idGivenTwice },
        {
          expect: {
            present: 'stage',
            key: stage_id,
            where: { partner_id: [partner_id], status: openForFiles },
          },
          refusal: stageClosed,
        },
        {
          expect: { present: 'deal', key: partner_id, where: { status: statesWithFiles(context) } },
          refusal: stageClosed,
        },
        {
          expect: {
            fewer: 'work_file',
            under: partner_id,
            than: mostOfStage,
            where: {
              stage_id: [stage_id],
              uploaded_by: [by, null],
              status: ['stored', 'accepted'],
            },
          },
          refusal: tooManyFiles(mostOfStage),
        },
        {
          expect: { fewer: 'work_file', under: partner_id, than: mostFiles },
          refusal: tooManyFiles(mostFiles),
        },
      ],
      insert: [{ kind: 'work_file', row }],
      subject: { kind: 'deal', key: partner_id },
      events: [workFileStored(origin, row)],
      answer: workFileOf(row),
    });
  };
  // a slow content delays no other upload: only the writes of a deal take turns
  return context.uploads(dealName, async () => {
    const recorded = await write(row);
    const isReused = recorded.isErr() && recorded.error.code === 'idempotency_key_reused';
    if (!isReused || terms.stage_id !== undefined) return recorded;
    // it may be a repeat of an upload from before the stages changed
    const first = await firstStage(context, call, state, origin.id);
    if (first.isErr()) return err(first.error);
    return first.value === undefined ? recorded : write({ ...row, stage_id: first.value });
  });
}

const stageClosed = { code: 'precondition_failed', reason: 'stage_closed' } as const;

/** The states of a deal in which its work can be delivered, so files can be uploaded for it. */
function statesWithFiles({ lifecycle }: Context): readonly DealStatus[] {
  const delivering = lifecycle.filter(({ stage }) => stage?.to === 'submitted');
  // a host may have states of its own
  return delivering.flatMap(({ from }) => from as readonly DealStatus[]);
}

const tooManyFiles = (max: number) =>
  validationFailed({ path: ['content'], code: 'too_many_files', params: { max } });

const idGivenTwice = portProblem('ids.next', { cause: new Error('a file has this id already') });

/** Why it is too late to record: the content may be old enough to be swept at the same time. */
function overdue({ ports }: Context, { id }: EventOrigin): PortProblem | undefined {
  const now = ports.realTime();
  if (now.isErr()) return now.error;
  if (now.value - timeOfUlid(id) <= longestUpload) return undefined;
  return portProblem('timer.now', { cause: new Error('the upload took more than an hour') });
}
