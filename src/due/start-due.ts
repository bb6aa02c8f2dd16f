import { err, ok, type Result } from 'neverthrow';
import type { RunFailure } from '../api/answers.js';
import { type Environment, nameOf, type Tenant } from '../domain/values/tenant.js';
import { parseTimestamp } from '../domain/values/timestamp.js';
import { faultOf, type PortProblem } from '../ports/answer.js';
import { busyUntil, claim, lasts, leaseTime, release, type Watch } from '../relay/lease.js';
import { readShared } from '../relay/relay-options.js';
import type { Running } from '../relay/start-relay.js';
import { createSlots, createTasks } from '../relay/tasks.js';
import type { Context } from '../usecases/context.js';
import { effects, timers } from '../usecases/due-work.js';
import {
  type DueKind,
  type DueWork,
  noWaits,
  takeTurn,
  type Waits,
} from '../usecases/take-turn.js';
import { timeOf } from '../usecases/time-of.js';
import { tenantsAtOnce, tenantsDue } from './tenants-due.js';

/** The options of the loop of due work. */
export interface DueOptions {
  /** Default: both. */
  readonly environments?: readonly Environment[];
  /** Called for each piece of work or port that fails; the work is tried again. */
  readonly onFailure?: (failure: DueFailure) => unknown;
}

/** A failure of due work. */
export type DueFailure = Partial<Omit<RunFailure, 'cause'>> & { readonly cause: unknown };

/** The options with their defaults, or a `TypeError` that says which one is wrong. */
export function readDueOptions(given: DueOptions): Required<DueOptions> {
  return readShared<DueFailure>('runDue', given);
}

/** Milliseconds between two reads of the list of tenants with due work. */
const lookTime = 1_000;

/** So few records need no lease: to take it would last longer than the work. */
const fewRecords = 16;

/** A lease is renewed if fewer milliseconds than this are left of it. */
const margin = 2_000;

/**
 * Milliseconds after which a tenant with a moved clock is read again, even without a change. Each
 * look reads one such tenant, so that many idle tenants cost no more.
 */
const longestTrust = 10 * 60_000;

/** How many tenants of the sandbox are read at once for due work. */
const askedAtOnce = 2;

/** Later than every due time. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** The state of the work of a tenant between two turns. */
interface Place extends Watch {
  readonly name: string;
  readonly tenant: Tenant;
  readonly work: DueWork;
  readonly waits: Waits;
  /** The end of its log at the last look. */
  end: string;
  /** The period in which nothing is due by the clock of a sandbox, unless the log grows. */
  quiet?: { readonly end: string; readonly since: number; readonly until: number } | undefined;
  /** Whether it waits for its turn: then another wake changes nothing. */
  isAwaited: boolean;
  /** Whether the last turn left work. */
  hasMore: boolean;
  /** Real time up to which this process has the lease of the work. */
  leasedUntil: number;
}

/**
 * Does the due work of every tenant in turn, until it is stopped. It may run on any number of
 * machines: only the process with the lease of a tenant does much work for it.
 */
export function startDue(
  context: Context,
  environments: readonly Environment[],
  onFailure: (failure: DueFailure) => unknown,
): Running {
  const { ports, timer } = context;
  const tasks = createTasks(timer, longestTrust);
  const slots = createSlots(timer, tenantsAtOnce);
  // most sandboxes have no due work: they must not delay a tenant that has some
  const asks = createSlots(timer, askedAtOnce);
  const places = new Map<string, Place>();
  /** Places of moved clocks, in the order of their last read. */
  const trusted = new Set<Place>();
  const id = ports.nextId();
  if (id.isErr()) throw new TypeError('what is due needs ids', { cause: id.error.cause });
  const lease = id.value;
  const works = [timers(context), effects(context)] as readonly DueWork[];

  const placesOf = (tenant: Tenant) =>
    works.map((work) => {
      const name = `${nameOf(tenant)}\0${work.kind}`;
      const place = places.get(name) ?? {
        name,
        tenant,
        work,
        waits: noWaits(),
        end: '',
        isAwaited: false,
        hasMore: false,
        leasedUntil: 0,
      };
      places.set(name, place);
      return place;
    });

  const wake = (place: Place) => {
    if (place.isAwaited) return;
    place.isAwaited = true;
    tasks.wake(place.name, async () => {
      const again = await takeOne(place);
      if (again.isOk()) return again.value;
      onFailure({
        partner: place.tenant.partner,
        reason: faultOf(again.error),
        cause: again.error.cause ?? again.error,
      });
      return 'failed';
    });
  };

  const takeOne = async (place: Place): Promise<Result<number, PortProblem>> => {
    const { tenant, work, waits, hasMore } = place;
    const name = nameOf(tenant);
    if (tenant.environment === 'sandbox' && !hasMore) {
      const isDue = await asks(name, () => ask(place));
      if (isDue.isErr()) return err(isDue.error);
      if (!isDue.value) return rest(place);
    }
    const listener = {
      // a call that ends after its turn may have made other work due
      done: () => wake(place),
      failed: (failure: RunFailure) => void onFailure({ ...failure, cause: failure.cause }),
    };
    const turn = await slots(name, async () => {
      place.isAwaited = false;
      if (tasks.isStopped()) return ok('nothing' as const);
      return takeTurn(context, tenant, work, listener, {
        waits,
        isStopped: tasks.isStopped,
        mayBegin: (count) => mayBegin(place, count),
      });
    });
    place.hasMore = turn.isOk() && turn.value === 'more';
    if (turn.isErr()) return err(turn.error);
    if (place.hasMore) return ok(timer.now());
    if (typeof turn.value === 'number') return ok(turn.value);
    return rest(place);
  };

  /** Leaves a place until it is woken. The lease is kept while calls are under way. */
  const rest = async (place: Place): Promise<Result<number, PortProblem>> => {
    if (place.waits.underWay.size === 0) await giveBack(place);
    return ok(Number.POSITIVE_INFINITY);
  };

  /**
   * Whether work is due by the clock of a sandbox. If not, it keeps the time of the next due work:
   * the store takes a tenant with a moved clock for one that always has due work.
   */
  const ask = async (place: Place): Promise<Result<boolean, PortProblem>> => {
    place.isAwaited = false;
    if (tasks.isStopped()) return ok(false);
    const { tenant, work, end } = place;
    const time = work.isMoved
      ? await timeOf(context, tenant)
      : ports.now(tenant).map((now) => ({ now, ahead: 0 }));
    if (time.isErr()) return err(time.error);
    const next = await ports.due(tenant, work.kind, endOfTime, 1);
    if (next.isErr()) return err(next.error);
    const due = parseTimestamp(next.value[0]?.due_at ?? endOfTime);
    const away = Number(due) - Number(parseTimestamp(time.value.now));
    place.quiet = undefined;
    trusted.delete(place);
    if (away <= 0) return ok(true);
    const isMoved = time.value.ahead > 0;
    // if the clock was not moved, the store knows when work is due
    if (work.isMoved && !isMoved) return ok(false);
    place.quiet = { end, since: timer.now(), until: timer.now() + away };
    if (isMoved) trusted.add(place);
    return ok(false);
  };

  /** Takes the lease for much work, or returns when the lease of another process may have ended. */
  const mayBegin = async (
    place: Place,
    count: number,
  ): Promise<Result<true | number, PortProblem>> => {
    const now = timer.now();
    if (count <= fewRecords || lasts(place.leasedUntil, now, margin)) return ok(true);
    const { tenant } = place;
    const consumer = consumerOf(place.work.kind);
    const found = await ports.recordByKey(tenant, 'consumer', consumer.consumer);
    if (found.isErr()) return err(found.error);
    const busy = busyUntil(found.value, lease, place, now);
    if (busy > now) return ok(busy);
    const until = await claim({ ports, tenant, sink: consumer, lease }, found.value, now);
    if (until.isErr()) return err(until.error);
    if (until.value === undefined) return ok(now + leaseTime);
    place.leasedUntil = until.value;
    return ok(true);
  };

  const giveBack = async (place: Place) => {
    if (place.leasedUntil <= timer.now()) return;
    place.leasedUntil = 0;
    await release({ ports, tenant: place.tenant, sink: consumerOf(place.work.kind), lease });
  };

  const look = async () => {
    const found = await tenantsDue(context, environments);
    const now = timer.now();
    if (found.isErr()) {
      onFailure({ reason: faultOf(found.error), cause: found.error.cause ?? found.error });
    } else {
      for (const { tenant, end } of found.value) {
        for (const place of placesOf({ ...tenant })) {
          place.end = end;
          if (place.quiet?.end !== end || place.quiet.until <= now) wake(place);
        }
      }
    }
    const [longest] = trusted;
    if (longest?.quiet !== undefined && longest.quiet.since + longestTrust <= now) {
      trusted.delete(longest);
      wake(longest);
    }
    return now + lookTime;
  };
  tasks.wake('look', look);
  const stopListening = context.wakes.listen((tenant, isForced) => {
    if (!isForced || tenant === undefined || !environments.includes(tenant.environment)) return;
    for (const place of placesOf({ environment: tenant.environment, partner: tenant.partner })) {
      wake(place);
    }
  });

  return {
    async stop() {
      stopListening();
      await tasks.stop();
      const all = [...places.values()];
      await Promise.all(all.flatMap(({ waits }) => [...waits.underWay.values()]));
      await Promise.all(all.map(giveBack));
    },
  };
}

const consumerOf = (kind: DueKind) => ({ consumer: `due:${kind}`, begins: null });
