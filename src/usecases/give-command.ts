import { err, ok, type Result } from 'neverthrow';
import { type CommandError, validationFailed, type WithoutMessage } from '../domain/errors.js';
import { dealSubject, type EventOrigin } from '../domain/events.js';
import { decide, type Refusal } from '../domain/life/decide.js';
import { applyChanges, type Changes, type DealState, type Moment } from '../domain/life/draft.js';
import { type Command, isOf } from '../domain/life/rules.js';
import { type DealPart, records, shapeOf } from '../domain/records.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { DealWith } from '../ports/store.js';
import type { Expectation, Insert } from '../ports/write-set.js';
import { commit, type Decision, findFirstAnswer, type Keyed, originate } from './commit.js';
import type { Refusal as AnyRefusal, Call, Context } from './context.js';
import type { Finder } from './find-deal.js';

type NotGiven = WithoutMessage<CommandError>;

/** All that belongs to a deal: a decision is made from the whole of it. */
export const dealParts = (Object.keys(records) as DealPart[]).filter(
  (kind) => shapeOf(kind).under?.kind === 'deal',
);

/** How often a decision is made again that somebody else's was quicker than. */
const mostAttempts = 32;

/** What is wanted of a deal, and what the caller gets. */
export interface Given<T, R> {
  readonly finder: Finder<R>;
  readonly name: string;
  readonly input: unknown;
  /** The deal after it, as this face shows it. */
  show(state: DealState): T;
  /** What the gateway was asked for, by its id, where this is its answer to that. */
  readonly effect?: string;
  /** Whose form the answer has, where that is not the actor: a key gives an answer of this face alone. */
  readonly face?: 'sandbox';
}

/**
 * Gives a deal a command: read, decide, write once. Where somebody else has changed the deal
 * meanwhile, it is read and decided again.
 */
export async function giveCommand<T, R extends AnyRefusal>(
  context: Context,
  call: Call,
  { finder, name, input, show, face, effect }: Given<T, R>,
): Promise<Result<T, NotGiven | R>> {
  const { actor } = call;
  const named = context.lifecycle.filter((each) => each.command === name && isOf(each, actor));
  // of a command that a partner has in two parts, the one of its own says what the input is
  const rule = named.find(({ by }) => by.includes(actor)) ?? named[0];
  if (rule === undefined) return err({ code: 'not_found' });
  const parsed = context.parseCommand(rule, input);
  if (parsed.isErr()) {
    // who may not see the deal learns nothing else
    const seen = await finder.find([]);
    if (seen.isErr() && seen.error.code === 'unauthorized') return err(seen.error);
    return err(validationFailed(...parsed.error));
  }
  const { report, ...said } = parsed.value;
  const told = report && effect !== undefined ? { ...report, effect } : report;
  const command: Command = { ...said, ...(told && { report: told }), name, actor };
  return context.commands(finder.name, () =>
    change(context, call, finder, {
      keyed: ({ deal: { partner_id } }) => ({
        operation: name,
        input: { ...said, ...report },
        keyScope: `command ${face === undefined ? '' : `${face} `}${actor} ${partner_id}`,
      }),
      show,
      decide: (state, moment) => decide(context.lifecycle, state, command, moment),
    }),
  );
}

/** What is to be decided about a deal. */
export interface Change<T> {
  keyed?(state: DealState): Keyed;
  decide(state: DealState, moment: Moment): Result<Changes, Refusal>;
  show(state: DealState): T;
}

const stale = { code: 'stale' } as const;

/** What the clock does has no key. */
const unkeyed: Keyed = { operation: '', input: {}, keyScope: 'deal' };

/** Reads a deal, decides and writes, as often as somebody else is quicker. */
export async function change<T, R extends AnyRefusal>(
  context: Context,
  call: Call,
  { find }: Finder<R>,
  given: Change<T>,
): Promise<Result<T, NotGiven | R>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const found = await find(dealParts);
    if (found.isErr()) return err(found.error);
    const made = await decideAndCommit(context, call, found.value, given);
    if (made.isOk()) return ok(made.value);
    if (made.error.code !== 'stale') return err(made.error);
  }
  const cause = new Error('the deal was changed by others each time');
  return err(portProblem('store.commit', { cause }));
}

async function decideAndCommit<T>(
  context: Context,
  call: Call,
  state: DealWith<DealPart>,
  { keyed: keyOf, decide: decideOn, show }: Change<T>,
): Promise<Result<T, NotGiven | typeof stale>> {
  const started = await originate(context, call);
  if (started.isErr()) return err(started.error);
  const origin = started.value;
  const executes = context.ports.executes(call.tenant);
  if (executes.isErr()) return err(executes.error);
  const keyed = keyOf?.(state);
  const ids = idsOf(context);
  const moment = { now: origin.at, real: origin.real, newId: ids.next, executes: executes.value };
  const decided = decideOn(state, moment);
  if (ids.problem() !== undefined) return err(ids.problem() as PortProblem);
  if (decided.isErr() && keyed !== undefined) {
    const first = await findFirstAnswer<T>(context, call, origin, keyed);
    if (first.isErr()) return err(first.error);
    if (first.value !== undefined) return ok(first.value);
  }
  if (decided.isErr()) return err(decided.error);
  const changes = decided.value;
  const answer = show(applyChanges(state, changes));
  // a command may do no more than tell
  const isNothing = changes.insert.length + changes.change.length + changes.events.length === 0;
  if (isNothing && call.idempotencyKey === undefined) return ok(answer);
  const write = writeOf(state, changes, origin, ids.next);
  if (ids.problem() !== undefined) return err(ids.problem() as PortProblem);
  const { operation, input, keyScope } = keyed ?? unkeyed;
  const { conditions, insert, change, events } = write;
  const subject = { kind: 'deal', key: state.deal.partner_id } as const;
  // named one by one: members after a spread cost more than all of a decision
  const decision: Decision<T, typeof stale> = {
    operation,
    input,
    keyScope,
    origin,
    conditions,
    insert,
    change,
    subject,
    events,
    answer,
  };
  return commit<T, typeof stale>(context, call, decision);
}

/** The changes of a deal as a write: only of the deal that was read. */
function writeOf(
  state: DealWith<DealPart>,
  changes: Changes,
  { id, at, actor, cause }: EventOrigin,
  newId: () => string,
): Required<Pick<Decision<never, typeof stale>, 'conditions' | 'insert' | 'change' | 'events'>> {
  // a write that makes nothing else is known by its attempt
  const attempt = { answer_key: `attempt ${id}`, fingerprint: '', answer: '{}', ends_at: null };
  const first: Insert = changes.insert[0] ?? { kind: 'answer', row: attempt };
  const key: unknown = Reflect.get(first.row, shapeOf(first.kind).key);
  const { deal } = state;
  const { partner_id, version } = deal;
  const expect: Expectation[] = [
    { absent: first.kind, key } as Expectation,
    { present: 'deal', key: partner_id, where: { version: [version] } },
    ...asRead(state, changes),
    ...reportsAsRead(state, changes),
  ];
  let before = cause;
  const events = changes.events.map(({ type, data }, index) => {
    const event = {
      id: index === 0 ? id : newId(),
      type,
      subject: dealSubject(deal),
      at,
      actor,
      cause: before,
      data,
    };
    before = event.id;
    return event;
  });
  return {
    conditions: expect.map((each) => ({ expect: each, refusal: stale })),
    insert: changes.insert.length === 0 ? [first] : changes.insert,
    change: changes.change,
    events,
  };
}

/** That records which are changed are still as they were read, where a condition can say that. */
function asRead(state: DealState, { change }: Changes): readonly Expectation[] {
  const read = new Map<string, ReadonlyMap<unknown, object>>();
  return change.flatMap(({ kind, key, set }) => {
    if (kind === 'deal') return [];
    const { key: own, conditions } = shapeOf(kind);
    const rows = read.get(kind) ?? new Map(state[kind].map((row) => [Reflect.get(row, own), row]));
    read.set(kind, rows);
    const row = rows.get(key) as object;
    const changed = conditions.filter((field) => field in set);
    const where = Object.fromEntries(changed.map((field) => [field, [Reflect.get(row, field)]]));
    return [{ present: kind, key, where } as Expectation];
  });
}

/** A report may come without an event, so that no version tells of it: they are counted. */
function reportsAsRead(state: DealWith<DealPart>, { insert }: Changes): readonly Expectation[] {
  if (!insert.some(({ kind }) => kind === 'payment_report')) return [];
  const than = state.payment_report.length + 1;
  return [{ fewer: 'payment_report', under: state.deal.partner_id, than }];
}

/** Ids of a port that may fail: what was made of one that is missing is thrown away. */
function idsOf({ ports }: Context) {
  let failed: PortProblem | undefined;
  return {
    next(): string {
      const id = ports.nextId();
      if (id.isOk()) return id.value;
      failed = id.error;
      return '';
    },
    problem: () => failed,
  };
}
