import { err, ok, type Result } from 'neverthrow';
import type { RunFailure, RunReport } from '../api/answers.js';
import type { Finding } from '../domain/issues.js';
import type { Actor } from '../domain/life/actors.js';
import { describeError, describeIssue } from '../domain/messages.js';
import { type Stored, shapeOf, type TimedKind } from '../domain/records.js';
import type { Environment, Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { TenantLog } from '../ports/store.js';
import type { Call, Context, Refusal } from './context.js';
import { timeOf } from './time-of.js';

/** How many records of a tenant are worked on before it is the turn of another one. */
const batchSize = 100;

/** Milliseconds after which it is the turn of another tenant. */
const longestTurn = 250;

/** How many tenants one call of a store gives, and the most records. */
const [pageSize, mostRecords] = [1_000, 10_000];

/** How many tenants have their turn at once. */
export const tenantsAtOnce = 8;

/** How often one record is worked on in a row: a deal may have several deadlines behind it. */
const mostTimes = 100;

/** How many failures a report describes. */
const mostFailures = 100;

/** So many failures in a row are those of the store, and no longer of a record. */
const failuresInRow = 16;

/** Milliseconds that a run of the operator goes on for at most: the next one does the rest. */
const longestRun = 60_000;

/** Milliseconds of work after which requests have their turn, and how many they are given. */
const [slice, rest] = [2, 1];

/** Milliseconds before a record that failed is tried again: doubled each time it fails once more. */
const [firstPause, lastPause] = [1_000, 10 * 60_000];

/** The kinds of a deal that have something due. */
export type DueKind = Extract<TimedKind, 'deal' | 'intent'>;

/** What is due, and what is then done with it. */
export interface DueWork<K extends DueKind = DueKind> {
  readonly kind: K;
  readonly actor: Actor;
  /** Whether it is due by the time that the partner of a sandbox moves. */
  readonly isMoved: boolean;
  /** Whether something was done, or why it is to be tried by a later run. */
  run(call: Call, row: Stored<K>): Promise<Result<boolean | Postponed, PortProblem>>;
}

/** Why something is left to a later run. */
export interface Postponed {
  readonly why: Refusal & {
    readonly port?: string;
    readonly cause?: unknown;
    readonly errors?: readonly Finding[];
  };
}

/** What a run has done so far. */
export interface Tally extends RunReport {
  done: number;
  failed: number;
  readonly failures: RunFailure[];
}

/** Nothing has been done yet. */
export function beginReport(): Tally {
  return { done: 0, failed: 0, failures: [] };
}

/** The records of a tenant that are left for a while, by their keys. */
export interface Waits {
  readonly until: Map<string, { readonly time: number; readonly pause: number }>;
  /** How often each was worked on since its last pause. */
  readonly times: Map<string, number>;
}

export const noWaits = (): Waits => ({ until: new Map(), times: new Map() });

/** How a turn is taken. */
export interface TurnOptions {
  readonly waits: Waits;
  /** Real time in milliseconds when it ends, if that is before the end of a turn. */
  readonly until?: number;
  /** How many records are worked on at most, if those are fewer than of a turn. */
  readonly most?: number;
  isStopped?(): boolean;
  /** Asked before so many records are worked on: whether they may be, or when to ask again. */
  mayBegin?(count: number): Promise<Result<true | number, PortProblem>>;
}

/** There may be more now, or at a time in milliseconds; or nothing that this run can do. */
export type TurnEnd = 'more' | 'nothing' | number;

/**
 * Works for a tenant on what is due, for the length of one turn: so many records at once as there is
 * room for, and with pauses in which requests are answered. What fails holds up nothing else.
 */
export async function takeTurn<K extends DueKind>(
  context: Context,
  tenant: Tenant,
  work: DueWork<K>,
  report: Tally,
  { waits, until = Number.POSITIVE_INFINITY, most = batchSize, isStopped, mayBegin }: TurnOptions,
): Promise<Result<TurnEnd, PortProblem>> {
  const { ports, timer } = context;
  const time = await timeOf(context, tenant);
  if (time.isErr()) return err(time.error);
  const began = timer.now();
  for (const [key, { time }] of waits.until) if (time <= began) waits.times.delete(key);
  const isWaiting = (key: string) => (waits.until.get(key)?.time ?? 0) > began;
  const limit = Math.min(batchSize + waits.until.size, mostRecords);
  const before = work.isMoved ? time.value.now : time.value.real;
  const found = await ports.due(tenant, work.kind, before, limit);
  if (found.isErr()) return err(found.error);
  const keyOf = (row: Stored<K>) => String(Reflect.get(row, shapeOf(work.kind).key));
  const ready = found.value.filter((row) => !isWaiting(keyOf(row)));
  const fresh = ready.slice(0, Math.min(batchSize, most));
  if (fresh.length === 0) return ok('nothing');
  const may = mayBegin === undefined ? ok(true as const) : await mayBegin(fresh.length);
  if (may.isErr()) return err(may.error);
  if (may.value !== true) return ok(may.value);

  const call: Call = { tenant, actor: work.actor, language: 'en' };
  const breathe = breathing(context);
  let inRow = 0;
  let problem: PortProblem | undefined;
  const isOver = () =>
    problem !== undefined ||
    timer.now() >= Math.min(until, began + longestTurn) ||
    isStopped?.() === true;
  const workOn = async (row: Stored<K>) => {
    const key = keyOf(row);
    const ran = await work.run(call, row);
    const postponed = ran.isErr() ? { why: ran.error } : ran.value;
    if (typeof postponed === 'object') {
      const pause = Math.min(2 * (waits.until.get(key)?.pause ?? firstPause / 2), lastPause);
      waits.until.set(key, { time: timer.now() + pause, pause });
      report.failed += 1;
      if (report.failed <= mostFailures) report.failures.push(failureOf(call, row, postponed));
      inRow = ran.isErr() ? inRow + 1 : 0;
      if (ran.isErr() && inRow >= failuresInRow) problem = ran.error;
      return;
    }
    inRow = 0;
    const times = (waits.times.get(key) ?? 0) + 1;
    waits.times.set(key, times);
    if (times >= mostTimes)
      waits.until.set(key, { time: timer.now() + lastPause, pause: lastPause });
    else waits.until.delete(key);
    if (postponed) report.done += 1;
  };
  // what is due of one deal goes in its order
  const deals = new Map<string, Stored<K>[]>();
  for (const row of fresh) {
    const own = deals.get(row.partner_id);
    if (own === undefined) deals.set(row.partner_id, [row]);
    else own.push(row);
  }
  const waiting = deals.values();
  const lane = async () => {
    for (const rows of waiting) {
      for (const row of rows) {
        await breathe();
        if (isOver()) return;
        await workOn(row);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(context.atOnce(), deals.size) }, lane));
  return problem === undefined ? ok('more') : err(problem);
}

/** Lets requests have their turn every few milliseconds: a store may answer without a wait. */
function breathing({ timer }: Context): () => Promise<void> {
  let over = timer.now() + slice;
  let pause: Promise<void> | undefined;
  return async () => {
    if (pause === undefined && timer.now() >= over) {
      pause = new Promise<void>((resolve) => void timer.sleep(rest, resolve)).then(() => {
        pause = undefined;
        over = timer.now() + slice;
      });
    }
    await pause;
  };
}

/**
 * Does for every tenant of an environment what is due at its time: tenants have turns, some of them
 * at once. It may be stopped at any moment and run anywhere, any number at once: each piece of work
 * decides by one write whose it is.
 */
export async function runDue<K extends DueKind>(
  context: Context,
  environment: Environment,
  work: DueWork<K>,
): Promise<Result<RunReport, PortProblem>> {
  const report = beginReport();
  const listed = await tenantsDue(context, [environment]);
  if (listed.isErr()) return err(listed.error);
  const queue = listed.value.map(({ tenant }) => ({ tenant, waits: noWaits() }));
  const until = context.timer.now() + longestRun;
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { tenant, waits } = next;
      const turn = await takeTurn(context, tenant, work, report, { waits });
      if (turn.isErr()) fail(report, tenant, turn.error);
      else if (turn.value === 'more' && context.timer.now() < until) {
        // what has failed in this run is left to the next one
        for (const [key, { pause }] of waits.until) {
          waits.until.set(key, { time: Number.POSITIVE_INFINITY, pause });
        }
        queue.push(next);
      }
    }
  };
  await Promise.all(Array.from({ length: tenantsAtOnce }, lane));
  return ok(report);
}

/** Who may have something due in these environments, by the time that nobody has moved. */
export async function tenantsDue(
  { ports }: Pick<Context, 'ports'>,
  environments: readonly Environment[],
): Promise<Result<readonly TenantLog[], PortProblem>> {
  const now = ports.now({ environment: environments[0] ?? 'sandbox', partner: '-' });
  if (now.isErr()) return err(now.error);
  const all: TenantLog[] = [];
  for (;;) {
    const last: Tenant | undefined = all.at(-1)?.tenant;
    const page = await ports.tenants(last, pageSize, now.value);
    if (page.isErr()) return err(page.error);
    all.push(...page.value);
    if (page.value.length < pageSize) {
      return ok(all.filter(({ tenant }) => environments.includes(tenant.environment)));
    }
  }
}

/** Notes that nothing could be done for a tenant. */
function fail(report: Tally, { partner }: Tenant, { port, cause }: PortProblem): void {
  report.failed += 1;
  if (report.failed > mostFailures) return;
  const failure = { partner, partner_id: '', reason: `${port} failed or did not answer` };
  report.failures.push(Object.defineProperty(failure, 'cause', { value: cause }));
}

/** What failed, in words for the host's staff. */
function failureOf(
  { tenant, language }: Call,
  { partner_id }: { readonly partner_id: string },
  { why }: Postponed,
): RunFailure {
  const wrong = why.errors?.map((finding) => {
    const { path, message } = describeIssue(finding, language);
    return `report of the gateway, ${path.join('.')}: ${message}`;
  });
  const said = why.port && `${why.port} failed or did not answer`;
  const reason = wrong?.join('; ') ?? said ?? describeError(why.code, language);
  const failure = { partner: tenant.partner, partner_id, reason };
  // as the cause of an Error: it may hold what is not for a wire
  return Object.defineProperty(failure, 'cause', { value: why.cause });
}
