import { err, ok, type Result } from 'neverthrow';
import type { RunFailure } from '../api/answers.js';
import type { Environment, Tenant } from '../domain/tenant.js';
import { parseTimestamp } from '../domain/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import { busyUntil, claim, leaseTime, release } from '../relay/lease.js';
import { createCheck, readShared } from '../relay/relay-options.js';
import { createSlots } from '../relay/slots.js';
import type { Running } from '../relay/start-relay.js';
import { createTasks } from '../relay/tasks.js';
import type { Context } from '../usecases/context.js';
import {
  beginReport,
  type DueKind,
  type DueWork,
  noWaits,
  takeTurn,
  tenantsAtOnce,
  tenantsDue,
  type Waits,
} from '../usecases/run-due.js';
import { effects } from '../usecases/run-effects.js';
import { timers } from '../usecases/run-timers.js';
import { timeOf } from '../usecases/time-of.js';

/** How what is due is worked on. */
export interface DueOptions {
  /** Default: both. */
  readonly environments?: readonly Environment[];
  /** Told of each piece of work that failed, and of ports that fail; it is tried again. */
  readonly onFailure?: (failure: DueFailure) => unknown;
}

/** What could not be done now. */
export type DueFailure = Partial<Omit<RunFailure, 'cause'>> & { readonly cause: unknown };

/** The options with their defaults, or a `TypeError` that says which one is wrong. */
export function readDueOptions(given: DueOptions): Required<DueOptions> {
  return readShared<DueFailure>(given, createCheck('runDue'));
}

/** Milliseconds between two looks at who has something due. */
const lookTime = 1_000;

/** So few records are worked on without a lease: they are done before it would be taken. */
const fewRecords = 16;

/** A lease with less than this left is taken anew. */
const margin = 2_000;

/** Milliseconds after which a tenant whose clock was moved is asked again, though nothing was seen. */
const longestTrust = 10 * 60_000;

/** Later than everything that is due. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** What is known of the work of a tenant between two turns. */
interface Place {
  readonly tenant: Tenant;
  readonly waits: Waits;
  /** The end of its log when it was looked at last. */
  end: string;
  /** Up to when nothing is due, unless the log grows: of a tenant whose clock was moved. */
  quiet?: { readonly end: string; readonly until: number } | undefined;
  /** Real time up to which this process has the lease of the work. */
  leasedUntil: number;
}

/**
 * Does what is due, for every tenant in its turn, until it is stopped. It may run on any number of
 * machines: much work of a tenant is done by the one that has its lease.
 */
export function startDue(
  context: Context,
  environments: readonly Environment[],
  onFailure: (failure: DueFailure) => unknown,
): Running {
  const { ports, timer } = context;
  const tasks = createTasks(timer, longestTrust);
  const slots = createSlots(timer, tenantsAtOnce);
  const places = new Map<string, Place>();
  const id = ports.nextId();
  if (id.isErr()) throw new TypeError('what is due needs ids', { cause: id.error.cause });
  const lease = id.value;
  const works = [timers(context), effects(context)] as readonly DueWork[];

  const wake = (tenant: Tenant, end?: string) => {
    for (const work of works) {
      const name = `${tenant.environment}\0${tenant.partner}\0${work.kind}`;
      const place = places.get(name) ?? { tenant, waits: noWaits(), end: '', leasedUntil: 0 };
      places.set(name, place);
      if (end === undefined) place.quiet = undefined;
      else place.end = end;
      const { quiet } = place;
      if (quiet?.end === place.end && timer.now() < quiet.until) continue;
      tasks.wake(name, async () => {
        const done = await slots(`${tenant.environment}\0${tenant.partner}`, () =>
          takeOne(place, work),
        );
        if (done.isErr()) {
          onFailure({ partner: tenant.partner, cause: done.error.cause ?? done.error });
          return 'failed';
        }
        return done.value;
      });
    }
  };

  const takeOne = async (place: Place, work: DueWork): Promise<Result<number, PortProblem>> => {
    const { tenant, waits } = place;
    const seen = place.end;
    const report = beginReport();
    const turn = await takeTurn(context, tenant, work, report, {
      waits,
      isStopped: tasks.isStopped,
      mayBegin: (count) => mayBegin(place, work.kind, count),
    });
    for (const failure of report.failures) onFailure({ ...failure, cause: failure.cause });
    if (turn.isErr()) return err(turn.error);
    if (turn.value === 'more') return ok(timer.now());
    if (turn.value !== 'nothing') return ok(turn.value);
    await giveBack(place, work.kind);
    return settle(place, work, seen);
  };

  /** Remembers when something is due by a clock that was moved: the store does not know. */
  const settle = async (
    place: Place,
    work: DueWork,
    end: string,
  ): Promise<Result<number, PortProblem>> => {
    const { tenant, waits } = place;
    if (tenant.environment === 'production') return ok(Number.POSITIVE_INFINITY);
    const time = await timeOf(context, tenant);
    if (time.isErr()) return err(time.error);
    const { now, real, ahead } = time.value;
    if (ahead === 0) return ok(Number.POSITIVE_INFINITY);
    const next = await ports.due(tenant, work.kind, endOfTime, 1);
    if (next.isErr()) return err(next.error);
    const due = parseTimestamp(next.value[0]?.due_at ?? endOfTime);
    const away = Number(due) - Number(parseTimestamp(work.isMoved ? now : real));
    const wait = Math.min(away <= 0 && waits.until.size > 0 ? lookTime : away, longestTrust);
    place.quiet = { end, until: timer.now() + wait };
    return ok(Number.POSITIVE_INFINITY);
  };

  /** Takes the lease of much work; or when another process may have ended it. */
  const mayBegin = async (
    place: Place,
    kind: DueKind,
    count: number,
  ): Promise<Result<true | number, PortProblem>> => {
    const now = timer.now();
    if (count <= fewRecords || place.leasedUntil > now + margin) return ok(true);
    const { tenant } = place;
    const key = `due:${kind}`;
    const found = await ports.recordByKey(tenant, 'consumer', key);
    if (found.isErr()) return err(found.error);
    const busy = busyUntil(found.value, lease);
    if (busy > now) return ok(busy);
    const until = await claim(context, tenant, consumerOf(kind), lease, found.value, now);
    if (until.isErr()) return err(until.error);
    if (until.value === undefined) return ok(now + leaseTime);
    place.leasedUntil = until.value;
    return ok(true);
  };

  const giveBack = async (place: Place, kind: DueKind) => {
    if (place.leasedUntil <= timer.now()) return;
    place.leasedUntil = 0;
    await release(context, place.tenant, consumerOf(kind), lease, timer.now());
  };

  const look = async () => {
    const found = await tenantsDue(context, environments);
    if (found.isErr()) onFailure({ cause: found.error.cause ?? found.error });
    else for (const { tenant, end } of found.value) wake({ ...tenant }, end);
    return timer.now() + lookTime;
  };
  tasks.wake('look', look);
  const stopListening = context.wakes.listen((tenant, isForced) => {
    if (isForced && tenant !== undefined && environments.includes(tenant.environment)) {
      wake({ environment: tenant.environment, partner: tenant.partner });
    }
  });

  return {
    async stop() {
      stopListening();
      await tasks.stop();
      const held = [...places].filter(([, { leasedUntil }]) => leasedUntil > timer.now());
      await Promise.all(
        held.map(([name, place]) => giveBack(place, name.endsWith('deal') ? 'deal' : 'intent')),
      );
    },
  };
}

const consumerOf = (kind: DueKind) => ({ consumer: `due:${kind}`, begins: null });
