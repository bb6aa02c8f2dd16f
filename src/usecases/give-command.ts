import { err, ok, type Result } from 'neverthrow';
import type { EventOrigin } from '../domain/events/events.js';
import {
  type CommandError,
  notFound,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import { afterTheClock, decide } from '../domain/life/decide.js';
import { type Command, isOf } from '../domain/life/rules.js';
import {
  applyChanges,
  type Changes,
  type DealState,
  type Moment,
} from '../domain/payments/draft.js';
import { type DealPart, dealParts, type Row } from '../domain/records/records.js';
import type { ProposalRow } from '../domain/terms/proposal.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { DealWith } from '../ports/store.js';
import type { Expectation, Change as RowChange } from '../ports/write-set.js';
import {
  attemptRow,
  judgeMet,
  type KeptAnswer,
  keep,
  keyEnds,
  sharedKey,
  stateAt,
} from './answer-again.js';
import { type Keyed, keyOf, type Met, type Origin, originate, readAnswer } from './commit.js';
import type { Refusal as AnyRefusal, Call, Context } from './context.js';
import { writeOf } from './deal-write.js';
import { askPorts, reserveStages } from './decision-ports.js';
import { asStored, type Finder } from './find-deal.js';
import { findProposal, hasTerms, keepTerms } from './kept-terms.js';

type NotGiven = WithoutMessage<CommandError>;

/** How often a decision is made again after another one was committed first. */
const mostAttempts = 32;

/** A command for a deal, and the answer for the caller. */
export interface Given<T, R> {
  readonly finder: Finder<R>;
  readonly name: string;
  readonly input: unknown;
  /** The deal after it, as this face shows it. */
  show(state: DealState): T;
  /** The id of the intent, if the gateway returned this report as its answer. */
  readonly effect?: string;
  /** Consents to the terms as they are. */
  readonly isBlind?: true;
  /** Called with a command that was refused, before the caller learns it. */
  refused?(command: Command, refusal: AnyRefusal): Promise<Result<void, PortProblem>>;
  /** The face of the answer, if it is not the actor's: a key gives only answers of its own face. */
  readonly face?: 'sandbox';
}

/**
 * Gives a deal a command: read, decide, write once. If the deal has changed meanwhile, it is read
 * and decided again.
 */
export async function giveCommand<T, R extends AnyRefusal>(
  context: Context,
  call: Call,
  { finder, name, input, show, face, effect, isBlind, refused }: Given<T, R>,
): Promise<Result<T, NotGiven | R>> {
  const { actor } = call;
  const named = context.lifecycle.filter(
    (each) => each.command === name && each.about === undefined && isOf(each, actor),
  );
  // if a command of a partner has two rows, its own row defines the input
  const rule = named.find(({ by }) => by.includes(actor)) ?? named[0];
  if (rule === undefined) return err(notFound('operation'));
  const parsed = context.parseCommand(rule, input);
  if (parsed.isErr()) {
    // a caller that may not see the deal learns nothing else
    const seen = await finder.find([]);
    if (seen.isErr() && seen.error.code === 'unauthorized') return err(seen.error);
    return err(validationFailed(...parsed.error));
  }
  const { report, ...said } = parsed.value;
  const told = report && effect !== undefined ? { ...report, effect } : report;
  const command: Command = {
    ...said,
    ...(told && { report: told }),
    ...(isBlind && { isBlind }),
    name,
    actor,
  };
  const given = await context.commands(finder.name, () =>
    change(context, call, finder, {
      keyed: ({ deal: { partner_id } }) => ({
        operation: name,
        input: { ...said, ...report },
        keyScope: `command ${face === undefined ? '' : `${face} `}${actor} ${partner_id}`,
      }),
      show,
      newStages: () => (rule.addsStage ? 1 : 0),
      decide: (state, moment) => decide(context.lifecycle, state, command, moment),
    }),
  );
  const noted = given.isErr() ? await refused?.(command, given.error) : undefined;
  return noted?.isErr() ? err(noted.error) : given;
}

/** A decision to make about a deal. */
export interface Change<T> {
  keyed?(state: DealState): Keyed;
  /** How many stages it may add. */
  newStages?(state: DealState): number;
  /** Reads what the decision needs besides the deal. */
  prepare?(state: DealState): Promise<Result<void, PortProblem>>;
  /** If the answer is not the deal, but a proposal of it, which `decide` made or closed. */
  readonly proposed?: {
    proposal(): ProposalRow;
    show(proposal: ProposalRow): T;
  };
  /** How long its key is kept; without it, for good if it makes a report or a bonus. */
  readonly keyLife?: 'forGood' | 'forDays';
  decide(state: DealState, moment: Moment): Result<Changes, NotGiven>;
  show(state: DealState): T;
}

const stale = { code: 'stale' } as const;

/** Reads a deal, decides and writes, again each time another write was committed first. */
export async function change<T, R extends AnyRefusal>(
  context: Context,
  call: Call,
  finder: Finder<R>,
  given: Change<T>,
): Promise<Result<T, NotGiven | R>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const isKnown = finder.isKnown?.() === true;
    const found = await finder.find(dealParts);
    if (found.isErr()) return err(found.error);
    const made = await decideAndCommit(context, call, found.value, given);
    finder.wrote?.(made.isOk() ? made.value.after?.() : undefined);
    if (made.isOk()) return ok(made.value.answer);
    const { code } = made.error;
    // a refusal made from a remembered deal is not final: no write has checked that it is current
    if (code !== 'stale' && (!isKnown || code === 'unavailable')) return err(made.error);
  }
  const cause = new Error('the deal was changed by others each time');
  return err(portProblem('store.commit', { cause }));
}

/** The answer, and the deal after it, if that is known. */
interface Made<T> {
  readonly answer: T;
  after?(): DealWith<DealPart>;
}

type Decided<T> = Promise<Result<Made<T>, NotGiven | typeof stale>>;

async function decideAndCommit<T>(
  context: Context,
  call: Call,
  state: DealWith<DealPart>,
  given: Change<T>,
): Decided<T> {
  const { keyed: keyedBy, show } = given;
  const started = await originate(context, call);
  if (started.isErr()) return err(started.error);
  const origin = started.value;
  const executes = context.ports.executes(call.tenant);
  if (executes.isErr()) return err(executes.error);
  const time = context.ports.realTime();
  if (time.isErr()) return err(time.error);
  const keyed = keyedBy?.(state);
  const named = keyed === undefined ? ok(undefined) : keyOf(context, call, keyed);
  if (named.isErr()) return err(named.error);
  const key = named.value;
  const asking: Asking<T> = { context, call, state, show, origin, now: time.value, key, given };
  const made = await makeWrite(context, call, state, given, origin, executes.value);
  if (made.isErr()) {
    // a repeat needs none of the ports that have failed
    const first = await findFirst(asking);
    if (first.isErr()) return err(first.error);
    return first.value === undefined ? err(made.error) : ok(first.value);
  }
  const { changes, write } = made.value;
  // a command may only emit events
  const isNothing = changes.insert.length + changes.change.length + changes.events.length === 0;
  if (isNothing && key === undefined) return ok({ answer: show(state), after: () => state });
  return commitUnderKey(asking, changes, write);
}

/** The changes of a decision, and their write, or why there is none: a refusal, or a failed port. */
async function makeWrite<T>(
  context: Context,
  call: Call,
  state: DealWith<DealPart>,
  { decide: decideOn, newStages, prepare }: Change<T>,
  origin: Origin,
  executes: boolean,
): Promise<
  Result<{ readonly changes: Changes; readonly write: ReturnType<typeof writeOf> }, NotGiven>
> {
  const count = newStages?.(state) ?? 0;
  // no wait without need
  const first = count === 0 ? ok(0) : await reserveStages(context, call, state, count);
  if (first.isErr()) return err(first.error);
  const prepared = prepare && (await prepare(state));
  if (prepared?.isErr()) return err(prepared.error);
  const asked = askPorts(context);
  const moment = asked.moment(origin, executes, first.value);
  const decided =
    call.actor === 'clock'
      ? decideOn(state, moment)
      : afterTheClock(context.lifecycle, state, moment, decideOn);
  const made = decided.map((changes) => ({
    changes,
    write: writeOf(state, changes, origin, moment.newId),
  }));
  const problem = asked.problem();
  if (problem !== undefined) return err(problem);
  if (made.isErr() || !made.value.changes.insert.some(hasTerms)) return made;
  const { changes, write } = made.value;
  const kept = await keepTerms(context, call, state, changes.insert);
  return kept.map((insert) => ({ changes, write: { ...write, insert } }));
}

/** The input of a decision, and its caller. */
interface Asking<T> {
  readonly context: Context;
  readonly call: Call;
  readonly state: DealWith<DealPart>;
  readonly show: (state: DealState) => T;
  readonly origin: EventOrigin;
  /** Real time. */
  readonly now: number;
  readonly key: Pick<Row<'answer'>, 'answer_key' | 'fingerprint'> | undefined;
  readonly given: Pick<Change<T>, 'proposed' | 'keyLife'>;
}

/** The first answer to this very call, if its key has one: keys are judged before states (6.7). */
async function findFirst<T>(
  asking: Asking<T>,
): Promise<Result<{ readonly answer: T } | undefined, NotGiven | typeof stale>> {
  const { context, call, origin, key } = asking;
  if (key === undefined) return ok(undefined);
  const found = await readAnswer(context, call, origin.id, key.answer_key);
  if (found.isErr()) return err(found.error);
  if (found.value === undefined) return ok(undefined);
  return (await answerAgain(asking, key.fingerprint, found.value)).map((again) =>
    'ended' in again ? undefined : again,
  );
}

/** The answer under a key, or the time at which the key expired. */
async function answerAgain<T>(
  { context, call, state, show, now, given: { proposed } }: Asking<T>,
  fingerprint: string,
  met: Met,
): Promise<Result<{ readonly answer: T } | { readonly ended: string }, NotGiven | typeof stale>> {
  const judged = judgeMet<T>(met, fingerprint, formatTimestamp(now));
  if (judged.isErr()) return err(judged.error);
  const first = judged.value;
  if (!('kept' in first)) return ok(first);
  const { kept } = first;
  if ('proposal' in kept) {
    const { version, proposal } = kept;
    const found = await findProposal(context, call, state, proposal.id);
    if (found.isErr()) return err(found.error);
    const isRead = state.deal.version >= version && found.value !== undefined;
    if (!isRead || proposed === undefined) return err(stale);
    return ok({ answer: proposed.show({ ...found.value, ...proposal }) });
  }
  const then = await stateAt(context, call, state, kept);
  if (then.isErr()) return err(then.error);
  if (then.value === 'stale') return err(stale);
  return ok('ended' in then.value ? then.value : { answer: show(then.value) });
}

/** How often the key, or the shared state, may change within one attempt. */
const mostTurns = 4;

/** What names a proposal, and its values that may change. */
const thenOf = ({ id, status, decided_at }: ProposalRow) => ({ id, status, decided_at });

/** The record under the key of a command, and the time at which it expires. */
function keptUnder<T>(
  { context, state, now, given: { proposed, keyLife } }: Asking<T>,
  { insert }: Changes,
  after: DealState,
  version: number,
) {
  const ends = keyEnds(context, now);
  // a report and a bonus are kept for good, and so are their keys: the shared state is not
  const isRecord = insert.some(({ kind }) => kind === 'payment_report' || kind === 'terms');
  const isForGood = keyLife === undefined ? isRecord : keyLife === 'forGood';
  const isOwn = proposed !== undefined || isForGood || version !== state.deal.version;
  const until = isForGood ? {} : { until: ends.key };
  const columns = proposed === undefined ? keep(context, after) : {};
  const own =
    proposed === undefined ? { state: columns } : { proposal: thenOf(proposed.proposal()) };
  const kept: KeptAnswer = isOwn ? { version, ...until, ...own } : { version, until: ends.key };
  const answer = { answer: JSON.stringify(kept), ends_at: kept.until ?? null };
  return { ends, isShared: !isOwn, columns, answer };
}

/**
 * Writes the changes of a command, and under its key the values that its answer is made from again.
 */
async function commitUnderKey<T>(
  asking: Asking<T>,
  changes: Changes,
  { expect, insert, change, events, version }: ReturnType<typeof writeOf>,
): Decided<T> {
  const { context, call, state, show, origin, now, key } = asking;
  const after = applyChanges(state, changes);
  const answer = show(after);
  const keeping = key && { ...key, ...keptUnder(asking, changes, after, version) };
  const shared = sharedKey(state, version);
  let ended: string | undefined;
  let sharedEnds: string | undefined;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const rows: Row<'answer'>[] = [];
    const first: Expectation[] = [];
    const then: Expectation[] = [];
    const changed: RowChange<'answer'>[] = [];
    if (keeping !== undefined) {
      const { answer_key, fingerprint, ends, isShared, columns } = keeping;
      const row = { fingerprint, ...keeping.answer };
      if (ended === undefined) {
        first.push({ absent: 'answer', key: answer_key });
        rows.push({ answer_key, ...row });
      } else {
        then.push({ present: 'answer', key: answer_key, where: { ends_at: [ended] } });
        changed.push({ kind: 'answer', key: answer_key, set: row });
      }
      // the fingerprint of the shared state is its end, for a later write that finds it
      const lasting = { fingerprint: ends.shared, ends_at: ends.shared };
      if (isShared && sharedEnds === undefined) {
        first.push({ absent: 'answer', key: shared });
        rows.push({ answer_key: shared, answer: JSON.stringify(columns), ...lasting });
      } else if (isShared && sharedEnds !== undefined && sharedEnds < ends.shared) {
        then.push({ present: 'answer', key: shared, where: { ends_at: [sharedEnds] } });
        changed.push({ kind: 'answer', key: shared, set: lasting });
      } else if (isShared) {
        // a process with longer `keyDays` has extended it
        then.push({ present: 'answer', key: shared });
      }
    }
    // a write without other inserts is recognized by its attempt
    if (rows.length + insert.length === 0) {
      const attempt = attemptRow(origin.id, now);
      first.push({ absent: 'answer', key: attempt.answer_key });
      rows.push(attempt);
    }
    const all = [...first, ...expect, ...then];
    const committed = await context.ports.commit(call.tenant, {
      attempt: origin.id,
      expect: all,
      insert: [...insert, ...rows.map((row) => ({ kind: 'answer', row }) as const)],
      change: [...change, ...changed],
      events,
      ...(events.length > 0 && { subject: { kind: 'deal', key: state.deal.partner_id } as const }),
    });
    if (committed.isErr()) return err(committed.error);
    if (committed.value.outcome === 'committed') {
      return ok({
        answer,
        after: () => asStored(after, changes, { attempt: origin.id, version }),
      });
    }
    const { expectation, first: met } = committed.value;
    const refused = all[expectation];
    if (refused !== undefined && 'fewer' in refused && refused.fewer === 'proposal') {
      return err({ code: 'precondition_failed', reason: 'too_many' });
    }
    const metKey = refused !== undefined && 'absent' in refused ? refused.key : undefined;
    if (metKey === shared) sharedEnds = met?.fingerprint;
    else if (key !== undefined && metKey === key.answer_key && met !== undefined) {
      const again = await answerAgain(asking, key.fingerprint, met);
      if (again.isErr()) return err(again.error);
      if ('answer' in again.value) return ok(again.value);
      ended = again.value.ended;
    } else return err(stale);
  }
  return err(stale);
}
