import { err, ok, type Result } from 'neverthrow';
import type { RunFailure } from '../api/answers.js';
import { describeError, describeIssue } from '../domain/input/messages.js';
import { type Stored, shapeOf, type TimedKind } from '../domain/records/records.js';
import type { Finding } from '../domain/values/issues.js';
import type { Actor, Tenant } from '../domain/values/tenant.js';
import { faultOf, type PortProblem } from '../ports/answer.js';
import { wrongAnswer } from '../ports/guard.js';
import type { Call, Context, Refusal } from './context.js';
import { timeOf } from './time-of.js';

/** How many records of a tenant are processed in a turn, and while requests are answered. */
const [manyRecords, someRecords] = [512, 32];

/** Milliseconds after which another tenant has its turn. */
const longestTurn = 250;

/**
 * Milliseconds without a call that starts or ends, after which a turn ends: hanging calls go on.
 */
const longestStall = 50;

/** The most calls of a tenant under way, including those that outlast their turn. */
const mostUnderWay = 128;

/** The most records that are read for one turn. */
const mostRecords = 10_000;

/** How often one record is processed in a row: a deal may have several past deadlines. */
const mostTimes = 100;

/** This many passing failures in a row without a success are the port's, and not the record's. */
const failuresInRow = 16;

/** Milliseconds of work before a rest for requests, and the shortest and the longest rest. */
const [slice, rest, longestRest] = [2, 1, 100];

/** While there are requests, the rest is this many times as long as the work before it. */
const restBesideRequests = 3;

/** Milliseconds before a record that failed is tried again: doubled each time it fails once more. */
const [firstPause, lastPause] = [1_000, 10 * 60_000];

/** The kinds of records of a deal that can be due. */
export type DueKind = Extract<TimedKind, 'deal' | 'intent'>;

/** A kind of due work. */
export interface DueWork<K extends DueKind = DueKind> {
  readonly kind: K;
  readonly actor: Actor;
  /** Whether it is due by the time that the partner of a sandbox moves. */
  readonly isMoved: boolean;
  /** Starts work on a deal, on one record of it after the other. */
  begin(call: Call, partner_id: string): Work<K>;
}

/** Says whether something was done, or why a later run has to try it again. */
export type Work<K extends DueKind> = (
  row: Stored<K>,
) => Promise<Result<boolean | Postponed, PortProblem>>;

/** The reason why a later run has to try it again. */
export interface Postponed {
  readonly why: Refusal & {
    readonly port?: string;
    readonly fault?: string | undefined;
    readonly cause?: unknown;
    readonly errors?: readonly Finding[];
  };
}

/** Called for successes and failures: after the end of a turn, for calls that outlast it. */
export interface TurnListener {
  done(): void;
  failed(failure: RunFailure): void;
}

/** The state of a record between two turns. */
interface Known {
  /** Real time in milliseconds until which it is left alone. */
  until: number;
  /** How long it was left alone the last time; 0 if it has not failed. */
  pause: number;
  /** How often it was processed in a row. */
  times: number;
}

/** The state of the work of a tenant between two turns. */
export interface Waits<K extends DueKind = DueKind> {
  /** By key: the records that wait, and those that the last turns processed. */
  readonly records: Map<string, Known>;
  /** The deals being processed, and the end of each: a call may outlast its turn. */
  readonly underWay: Map<string, Promise<void>>;
  /** How many of the records of the last read had to be skipped. */
  skipped: number;
  /** Passing failures since the last success. */
  failures: number;
  /** The last of them, if there are too many: calls over a slow port fail after the end of a turn. */
  problem?: PortProblem | undefined;
  /** The deal that was processed last: a large one takes many turns. */
  inHand?: { readonly deal: string; readonly run: Work<K> } | undefined;
}

export const noWaits = <K extends DueKind>(): Waits<K> => ({
  records: new Map(),
  underWay: new Map(),
  skipped: 0,
  failures: 0,
});

/** The options of a turn. */
export interface TurnOptions<K extends DueKind> {
  readonly waits: Waits<K>;
  /** Real time in milliseconds at which it ends, if it would take longer. */
  readonly until?: number;
  /** The most records to process, if fewer than in a full turn. */
  readonly most?: number;
  isStopped?(): boolean;
  /** Called before this many records are processed: `true`, or the time at which to ask again. */
  mayBegin?(count: number): Promise<Result<true | number, PortProblem>>;
}

/** The part of the context that a turn needs. */
type TurnContext = Pick<Context, 'ports' | 'timer' | 'atOnce'>;

/**
 * `more` if there may be more now, a time in milliseconds if later; `nothing` if no work can start.
 */
export type TurnEnd = 'more' | 'nothing' | number;

/**
 * Does due work for a tenant for the length of one turn: as many records at once as there is room
 * for, with pauses in which requests are answered. A failure delays no other record, and a hanging
 * call delays only its own deal: it goes on after the turn has ended.
 */
export async function takeTurn<K extends DueKind>(
  context: TurnContext,
  tenant: Tenant,
  work: DueWork<K>,
  listener: TurnListener,
  {
    waits,
    until = Number.POSITIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    isStopped,
    mayBegin,
  }: TurnOptions<K>,
): Promise<Result<TurnEnd, PortProblem>> {
  const { ports, timer } = context;
  const { records, underWay, problem: earlier } = waits;
  if (earlier !== undefined) {
    forget(waits);
    return err(earlier);
  }
  // before the read: a call that ends during the read may be read as it was
  const open = new Set(underWay.keys());
  if (open.size >= mostUnderWay) return ok('nothing');
  const time = await timeOf(context, tenant);
  if (time.isErr()) return err(time.error);
  const began = timer.now();
  const atOnce = context.atOnce();
  const batchSize = atOnce === 1 ? someRecords : manyRecords;
  const limit = Math.min(batchSize + waits.skipped, mostRecords);
  const before = work.isMoved ? time.value.now : time.value.real;
  const found = await ports.due(tenant, work.kind, before, limit);
  if (found.isErr()) return err(found.error);
  const keyOf = (row: Stored<K>) => String(Reflect.get(row, shapeOf(work.kind).key));
  const isWaiting = (key: string) => (records.get(key)?.until ?? 0) > began;
  const keys = new Set(found.value.map(keyOf));
  for (const key of records.keys()) if (!keys.has(key) && !isWaiting(key)) records.delete(key);
  const ready = found.value.filter((row) => !open.has(row.partner_id) && !isWaiting(keyOf(row)));
  waits.skipped = found.value.length - ready.length;
  const fresh = ready.slice(0, Math.min(batchSize, most));
  if (fresh.length === 0) {
    waits.inHand = undefined;
    const isAll = found.value.length < limit || limit === mostRecords;
    return ok(isAll ? 'nothing' : 'more');
  }
  const may = mayBegin === undefined ? ok(true as const) : await mayBegin(fresh.length);
  if (may.isErr()) return err(may.error);
  if (may.value !== true) return ok(may.value);

  const call: Call = { tenant, actor: work.actor, language: 'en' };
  const breathe = breathing(context);
  const stall = stalling(context);
  let [done, isEnded] = [0, false];
  const isOver = () =>
    isEnded ||
    waits.problem !== undefined ||
    // requests have started or stopped: the next turn adapts to that
    context.atOnce() !== atOnce ||
    timer.now() >= Math.min(until, began + longestTurn) ||
    isStopped?.() === true;
  const workOn = async (run: Work<K>, row: Stored<K>) => {
    const key = keyOf(row);
    const ran = await run(row);
    const postponed = ran.isErr() ? { why: ran.error } : ran.value;
    const known = records.get(key) ?? { until: 0, pause: 0, times: 0 };
    records.set(key, known);
    if (typeof postponed === 'object') {
      known.pause = Math.min(2 * known.pause || firstPause, lastPause);
      known.until = timer.now() + known.pause;
      known.times = 0;
      listener.failed(failureOf(call, row, postponed));
      // a lasting failure is that of its record alone
      if (ran.isErr() && ran.error.retryable) waits.failures += 1;
      if (ran.isErr() && waits.failures >= failuresInRow) waits.problem = ran.error;
      return;
    }
    forget(waits);
    known.pause = 0;
    known.times += 1;
    if (known.times >= mostTimes) {
      known.pause = lastPause;
      known.until = timer.now() + lastPause;
      known.times = 0;
    }
    if (!postponed) return;
    done += 1;
    listener.done();
  };
  // the due records of one deal are processed in order
  const deals = new Map<string, Stored<K>[]>();
  for (const row of fresh) {
    const own = deals.get(row.partner_id);
    if (own === undefined) deals.set(row.partner_id, [row]);
    else own.push(row);
  }
  const workThrough = async (deal: string, rows: readonly Stored<K>[]) => {
    const { inHand } = waits;
    const run = inHand?.deal === deal ? inHand.run : work.begin(call, deal);
    waits.inHand = { deal, run };
    for (const row of rows) {
      await breathe();
      if (isOver()) return;
      stall.restart();
      await workOn(run, row);
      stall.restart();
    }
  };
  const waiting = deals.entries();
  const lane = async () => {
    for (const [deal, rows] of waiting) {
      if (isOver()) return;
      const ended = workThrough(deal, rows).finally(() => underWay.delete(deal));
      underWay.set(deal, ended);
      await ended;
    }
  };
  const lanes = Math.min(atOnce, deals.size, mostUnderWay - open.size);
  await Promise.race([Promise.all(Array.from({ length: lanes }, lane)), stall.begin()]);
  isEnded = true;
  stall.end();
  const { problem } = waits;
  if (problem === undefined || done > 0) return ok('more');
  forget(waits);
  return err(problem);
}

/** Counts failures anew. */
function forget(waits: Pick<Waits, 'failures' | 'problem'>): void {
  waits.failures = 0;
  waits.problem = undefined;
}

/** Waits until one of the calls that outlast their turn ends, at most until `until`. */
export async function oneEnds(
  { timer }: TurnContext,
  { underWay }: Pick<Waits, 'underWay'>,
  until: number,
): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = timer.sleep(Math.max(0, until - timer.now()), resolve);
  });
  await Promise.race([...underWay.values(), late]);
  cancel();
}

/** Notifies when no call has started or ended for a while. */
function stalling({ timer }: TurnContext) {
  let tell: (() => void) | undefined;
  let cancel = () => {};
  const restart = () => {
    cancel();
    if (tell !== undefined) cancel = timer.sleep(longestStall, tell);
  };
  return {
    restart,
    begin: () =>
      new Promise<void>((resolve) => {
        tell = resolve;
        restart();
      }),
    end() {
      tell = undefined;
      cancel();
    },
  };
}

/** Pauses for requests every few milliseconds: a store may answer without a wait. */
function breathing({ timer, atOnce }: TurnContext): () => Promise<void> {
  let over = timer.now() + slice;
  let pause: Promise<void> | undefined;
  const pauseOf = (worked: number) =>
    atOnce() === 1 ? Math.min(Math.max(rest, restBesideRequests * worked), longestRest) : rest;
  return async () => {
    if (pause === undefined && timer.now() >= over) {
      pause = new Promise<void>(
        (resolve) => void timer.sleep(pauseOf(timer.now() - over + slice), resolve),
      ).then(() => {
        pause = undefined;
        over = timer.now() + slice;
      });
    }
    await pause;
  };
}

/** A failure in words for the operator. */
function failureOf(
  { tenant, language }: Call,
  { partner_id }: { readonly partner_id: string },
  { why }: Postponed,
): RunFailure {
  const wrong = why.errors?.map((finding) => {
    const { path, message } = describeIssue(finding, language);
    return `${path.join('.')}: ${message}`;
  });
  const { port, fault = wrong && wrongAnswer(wrong.join('; ')) } = why;
  const reason = port === undefined ? describeError(why.code, language) : faultOf({ port, fault });
  const failure = { partner: tenant.partner, partner_id, reason };
  // like the cause of an Error: it may contain data that must not be sent
  return Object.defineProperty(failure, 'cause', { value: why.cause });
}
