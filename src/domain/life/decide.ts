import { err, ok, type Result } from 'neverthrow';
import {
  type IllegalTransition,
  type PreconditionFailed,
  type ValidationFailed,
  validationFailed,
  type WithoutMessage,
} from '../input/errors.js';
import { attentionOf } from '../payments/billing.js';
import {
  applyChanges,
  both,
  type Changes,
  createDraft,
  type DealState,
  type Draft,
  dealEvent,
  type Moment,
} from '../payments/draft.js';
import { follow } from '../payments/follow.js';
import { isAccepted } from '../payments/owed.js';
import type { ReportFinding, ReportProblem } from '../payments/report.js';
import { type NewTerms, settle } from '../payments/settle.js';
import type { Row } from '../records/records.js';
import { secretsIn } from '../records/stored.js';
import { supersede, supersedeMoved } from '../terms/open-proposal.js';
import { termsHash } from '../terms/terms.js';
import { formatMoney } from '../values/money.js';
import { type DealStatus, type FreelancerStatus, isFinal } from '../values/status.js';
import type { Actor } from '../values/tenant.js';
import { setAlert } from './alerts.js';
import {
  daysOfReviewNotice,
  daysToReview,
  keepDeadlines,
  keepOffer,
  noticeTime,
} from './deadlines.js';
import type { CommandOf } from './lifecycle.js';
import { finerMoney } from './money-given.js';
import { type Command, type Guard, isOf, type Lifecycle, type Rule } from './rules.js';

/** Why a command is not carried out. */
export type Refusal = WithoutMessage<IllegalTransition | PreconditionFailed | ValidationFailed>;

/**
 * Decides what a command does to a deal: returns all changes for one write, or why there are none.
 * A command that has had its effect already is a success that changes nothing.
 *
 * @example
 * ```ts
 * import { type DealState, decide, lifecycle } from 'dealwright/life';
 *
 * const accept = (deal: DealState, now: string, newId: () => string) =>
 *   decide(lifecycle, deal, { name: 'accept', actor: 'freelancer' }, { now, newId });
 * ```
 */
export function decide<const L extends Lifecycle, S extends DealStatus>(
  lifecycle: L,
  state: DealState & { readonly deal: { readonly status: S } },
  command: Command<CommandOf<L, S>>,
  moment: Moment,
): Result<Changes, Refusal> {
  const { actor, name, reason, message, report } = command;
  const draft = createDraft(state, moment);
  const findings = [
    ...secretsIn(state.deal, { reason, message, reference: report?.reference }),
    ...finerMoney(state, report ?? command, moment),
  ];
  if (findings.length > 0) return err(validationFailed(...findings));
  const own = lifecycle.filter(
    (rule) => rule.command === name && rule.about === undefined && isFor(rule, state, actor),
  );
  if (own.some((rule) => isRepeat(rule, state, command))) return ok(draft.changes());
  const rule = own.find((each) => isLegal(each, state));
  if (rule === undefined) return err(illegal(lifecycle, state, actor));
  const refusal = carryOut(rule, draft, command, lifecycle);
  if (refusal !== undefined) return err(refusal);
  if (rule.endsProposals) supersede(draft);
  return ok(finish(lifecycle, draft));
}

/** Applies what follows from a command, and returns all its changes. */
export function finish(lifecycle: Lifecycle, draft: Draft, terms?: NewTerms): Changes {
  const endProposals = () => isFinal(draft.state.deal.status) && supersede(draft);
  endProposals();
  settle(draft, terms);
  endProposals();
  markFiles(draft);
  keepDeadlines(draft);
  keepOffer(draft);
  setMarks(lifecycle, draft);
  return draft.changes();
}

/**
 * Gives the command of the clock whose time has come. Without one, it only sets the deadline of the
 * deal anew.
 *
 * @example
 * ```ts
 * import { type DealState, lifecycle, type Moment, tick } from 'dealwright/life';
 *
 * const expire = (deal: DealState, moment: Moment) => tick(lifecycle, deal, moment);
 * ```
 */
export function tick(
  lifecycle: Lifecycle,
  state: DealState,
  moment: Moment,
): Result<Changes, Refusal> {
  const name = dueCommand(lifecycle, state, moment.now);
  if (name !== undefined) return decide(lifecycle, state, { name, actor: 'clock' }, moment);
  const draft = createDraft(state, moment);
  // the days of a stage that was accepted before they were counted count from now
  keepDeadlines(draft);
  setMarks(lifecycle, draft);
  return ok(draft.changes());
}

/**
 * Decides as if a timer had run first (decision 10.15): what comes after an end that no timer has
 * visited is judged by the clock, in the same write, and a refusal writes nothing. Each command of
 * the clock is given once; if one is refused, it is left to the timer.
 */
export function afterTheClock<E>(
  lifecycle: Lifecycle,
  state: DealState,
  moment: Moment,
  decideOn: (state: DealState, moment: Moment) => Result<Changes, E>,
  given: readonly string[] = [],
): Result<Changes, E> {
  const { due_at } = state.deal;
  const isDue = due_at !== null && due_at <= moment.now;
  const name = isDue ? dueCommand(lifecycle, state, moment.now) : undefined;
  if (name === undefined || given.includes(name)) return decideOn(state, moment);
  const ticked = decide(lifecycle, state, { name, actor: 'clock' }, moment);
  if (ticked.isErr()) return decideOn(state, moment);
  const events = ticked.value.events.map((each) => ({ ...each, actor: 'clock' as const }));
  const first = { ...ticked.value, events };
  const after = applyChanges(state, first);
  return afterTheClock(lifecycle, after, moment, decideOn, [...given, name]).map((rest) =>
    both(first, rest),
  );
}

/**
 * The command that the clock has to give by now: the one whose time came first.
 *
 * @example
 * ```ts
 * import { type DealState, dueCommand, lifecycle } from 'dealwright/life';
 *
 * const isDue = (deal: DealState, now: string) => dueCommand(lifecycle, deal, now) !== undefined;
 * ```
 */
export function dueCommand(
  lifecycle: Lifecycle,
  state: DealState,
  now: string,
): string | undefined {
  const [first] = clockRules(lifecycle, state)
    .flatMap((rule) => timesOf(rule, state).map((at) => ({ at, name: rule.command })))
    .filter(({ at }) => at <= now)
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  return first?.name;
}

/** Sets the fields by which a deal is found: when it is due, and why it needs the operator. */
function setMarks(lifecycle: Lifecycle, draft: Draft): void {
  const { state, before, books, now, change } = draft;
  const reasons = attentionOf(state, books);
  const attention = reasons.length > 0 ? 'true' : null;
  const isSame = state.deal.status === before.deal.status;
  change('deal', state.deal, {
    attention,
    status_since: isSame ? before.deal.status_since : now,
  });
  setAlert(draft, reasons);
  const times = clockRules(lifecycle, state).flatMap((rule) => timesOf(rule, state));
  const [due_at = null] = times.sort();
  change('deal', state.deal, { due_at });
}

function clockRules(lifecycle: Lifecycle, state: DealState): readonly Rule[] {
  return lifecycle.filter(
    (rule) => rule.due !== undefined && rule.by.includes('clock') && isLegal(rule, state),
  );
}

function timesOf({ due }: Rule, state: DealState): readonly string[] {
  return (due?.(state) ?? []).filter((at) => at !== null);
}

/** The records of a deal that decide which commands are legal. */
export type Standing = Pick<DealState, 'deal' | 'stage'>;

/**
 * The commands that an actor could give, by the state of the deal alone.
 *
 * @example
 * ```ts
 * import { type DealState, legalCommands, lifecycle } from 'dealwright/life';
 *
 * const buttons = (deal: DealState) => legalCommands(lifecycle, deal, 'partner');
 * ```
 */
export function legalCommands(
  lifecycle: Lifecycle,
  state: Standing,
  actor: Actor,
): readonly string[] {
  const legal = lifecycle.filter(
    (rule) => rule.about === undefined && isFor(rule, state, actor) && isLegal(rule, state),
  );
  return [...new Set(legal.map(({ command }) => command))];
}

/** Says whether a row is one of an actor, for this deal. */
export function isFor(rule: Rule, { deal }: Pick<Standing, 'deal'>, actor: Actor): boolean {
  // the freelancer of a deal of version 1.0 has no token
  return deal.api_version === '1.0' ? isOf(rule, actor) : rule.by.includes(actor);
}

/** Says whether a deal has a row in its state. */
export function isLegal({ from, freelancer, stage }: Rule, state: Standing): boolean {
  const { status, freelancer_status } = state.deal;
  return (
    from.includes(status) &&
    (freelancer?.includes(freelancer_status) ?? true) &&
    (stage === undefined || state.stage.some((each) => stage.from.includes(each.status)))
  );
}

/** Whether a command already had its effect (decision 6.7). */
function isRepeat(rule: Rule, state: DealState, command: Command): boolean {
  const { stage, repeats, to, freelancerTo } = rule;
  if (stage !== undefined) {
    // nobody has to approve a bonus, so without a stage_id a command is not about it
    const concerned = concernedStages(state, command).filter(
      ({ kind }) => kind !== 'bonus' || command.stage_id !== undefined,
    );
    return (
      !concerned.some(({ status }) => stage.from.includes(status)) &&
      concerned.some(
        (each) => each.status === stage.to || (stage.to === 'approved' && isAccepted(each)),
      )
    );
  }
  if (repeats !== undefined) return repeats(state, command);
  const { status, freelancer_status } = state.deal;
  return status === to && freelancer_status === (freelancerTo ?? freelancer_status);
}

function concernedStages({ stage }: DealState, { stage_id }: Command): readonly Row<'stage'>[] {
  return stage.filter(({ id }) => id === (stage_id ?? id));
}

/** The refusal of a command that a deal does not have in its state. */
export function illegal(lifecycle: Lifecycle, state: DealState, actor: Actor): Refusal {
  const { status: deal_status, freelancer_status } = state.deal;
  const legal = legalCommands(lifecycle, state, actor);
  return { code: 'illegal_transition', deal_status, freelancer_status, legal };
}

function failed({ reason }: Pick<Guard, 'reason'>): Refusal {
  return { code: 'precondition_failed', reason };
}

/** Carries out a command, or returns why it cannot. */
function carryOut(
  rule: Rule,
  draft: Draft,
  command: Command,
  lifecycle: Lifecycle,
): Refusal | undefined {
  const { state, now, reviewNoticeDays = daysOfReviewNotice } = draft;
  const { guards = [], stage, countsAs, effect, due } = rule;
  const termsNow = () => termsHash(state, draft);
  const findBroken = (of?: Row<'stage'>) =>
    guards.find(
      (guard) => !guard.holds({ state, command, now, termsNow, ...(of && { stage: of }) }),
    );
  if (due !== undefined && !timesOf(rule, state).some((at) => at <= now)) {
    return failed({ reason: 'not_due' });
  }
  const { payment_id } = command;
  if (payment_id !== undefined && !isPaymentOf(state, payment_id)) {
    return finding('payment_id', 'unknown_payment');
  }
  if (stage === undefined) {
    const broken = findBroken();
    if (broken !== undefined) return failed(broken);
    const problem = effect?.(draft, command);
    if (problem !== undefined) return refusalOf(problem);
    move(rule, draft, command, movedStages(draft));
    return undefined;
  }
  const concerned = concernedStages(state, command);
  if (concerned.length === 0) return finding('stage_id', 'unknown_stage');
  const open = concerned.filter(({ status }) => stage.from.includes(status));
  if (open.length === 0) return failed({ reason: 'stage_closed' });
  const moving = open.filter((each) => findBroken(each) === undefined);
  const broken = findBroken(open[0]);
  if (moving.length === 0 && broken !== undefined) return failed(broken);
  const first = lifecycle.find((each) => each.command === countsAs && isLegal(each, state));
  if (first !== undefined) move(first, draft, { actor: command.actor });
  const moved = moving.map(({ id }) => id);
  for (const each of moving) {
    const isSubmitted = stage.to === 'submitted';
    draft.change('stage', each, {
      status: stage.to,
      submitted_at: isSubmitted ? now : null,
      notice_at: isSubmitted ? noticeTime(now, daysToReview, reviewNoticeDays) : null,
    });
  }
  move(rule, draft, command, moved);
  supersedeMoved(draft, moved);
  return undefined;
}

function isPaymentOf({ employer_payment, contractor_payment }: DealState, id: string): boolean {
  return [...employer_payment, ...contractor_payment].some((each) => each.id === id);
}

/** The stages that an effect has moved or added, or told of, if any. */
function movedStages(draft: Draft): readonly number[] | undefined {
  const earlier = earlierStages(draft);
  const moved = draft.state.stage.filter(({ id, status, overdue_told, notice_at }) => {
    const was = earlier.get(id);
    const isTold = was?.overdue_told !== overdue_told || was?.notice_at !== notice_at;
    return was?.status !== status || isTold;
  });
  return moved.length === 0 ? undefined : moved.map(({ id }) => id);
}

/** The stages as they were at the start, by their ids. */
const earlierStages = ({ before }: Draft): ReadonlyMap<number, Row<'stage'>> =>
  new Map(before.stage.map((each) => [each.id, each]));

function refusalOf(problem: ReportProblem): Refusal {
  return typeof problem === 'string'
    ? failed({ reason: problem })
    : finding(problem.member, problem.code, problem.allowed && { allowed: problem.allowed });
}

function finding(
  member: string,
  code: ReportFinding | 'unknown_stage',
  params: object = {},
): Refusal {
  return validationFailed({ path: [member], code, params: { ...params } });
}

/** Brings a deal to the states of a row, and emits its event. */
function move(
  { to, freelancerTo, event }: Rule,
  draft: Draft,
  { actor, reason, message, agreed_amount, amount }: Omit<Command, 'name'>,
  stage_ids?: readonly number[],
): void {
  const { deal } = draft.state;
  const status = (to ?? deal.status) as DealStatus;
  const freelancer_status = (freelancerTo ?? deal.freelancer_status) as FreelancerStatus;
  const isAccepted = deal.status === 'created' && status === 'accepted';
  draft.change('deal', deal, {
    status,
    freelancer_status,
    ...(isAccepted && { accepted_by: actor }),
  });
  follow(draft);
  if (event === undefined) return;
  const { terms_version } = draft.state.deal;
  dealEvent(draft, event, {
    ...(terms_version !== draft.before.deal.terms_version && { terms_version }),
    ...(stage_ids && { stage_ids }),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(amount !== undefined && { amount: formatMoney(amount) }),
    ...(agreed_amount !== undefined && { agreed_amount: formatMoney(agreed_amount) }),
  });
  if (draft.state.deal.status === 'completed' && deal.status !== 'completed')
    dealEvent(draft, 'deal.completed', { stage_ids: [] });
}

/** The files of a stage are accepted with it, or superseded once it is sent back (decision 6.4). */
function markFiles(draft: Draft): void {
  const earlier = earlierStages(draft);
  for (const { id, status } of draft.state.stage) {
    const before = earlier.get(id)?.status;
    const isBack =
      status === 'changes_requested' || (status === 'pending' && before === 'submitted');
    if (status === before || (!isBack && status !== 'approved' && status !== 'paid')) continue;
    for (const file of draft.state.work_file) {
      if (file.stage_id !== id || file.status !== 'stored') continue;
      draft.change('work_file', file, { status: isBack ? 'superseded' : 'accepted' });
    }
  }
}
