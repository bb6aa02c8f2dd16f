import { err, ok, type Result } from 'neverthrow';
import type { Stored } from '../domain/records.js';
import type { Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Timer } from '../ports/timer.js';
import type { Context } from '../usecases/context.js';
import { busyUntil, claim, leaseTime, type Standing, save, standingOf } from './lease.js';
import { jobsOf, positionAfter, readWork, type Work } from './read-work.js';
import { record } from './record-batch.js';
import { renewRegularly } from './renewal.js';
import { runJobs } from './run-jobs.js';
import type { Sink } from './sink.js';
import type { Slots } from './slots.js';

/** What a relay works with. */
export interface RelayContext {
  readonly context: Context;
  readonly timer: Timer;
  /** A ULID: what this relay leases carries it. */
  readonly lease: string;
  readonly slots: Slots;
  isStopped(): boolean;
}

/** How many go to one sink at once; fewer where none arrives. */
const [atOnce, atOnceWhileFailing] = [16, 2];

/** Milliseconds after which others have their turn, over a store that answers without a wait. */
const longestRun = 50;

/** A lease with less than this left is not relied on. */
const margin = 1_000;

/** What is known of a consumer between two turns. */
export interface Place {
  readonly tenant: Tenant;
  sink: Sink;
  /** Whether the sink was read just now. */
  isFresh: boolean;
  /** The consumer, while this relay has its lease. */
  owned?: Standing | undefined;
  /** Whether something may be due that this relay does not know of. */
  isForced: boolean;
}

/** When there may be work again, in milliseconds; `Infinity` where only a new event makes some. */
type Again = number;

/** Works for a consumer until there is nothing to do, or for a while. */
export async function consume(
  relay: RelayContext,
  place: Place,
): Promise<Result<Again, PortProblem>> {
  const { timer, isStopped } = relay;
  const over = timer.now() + longestRun;
  while (!isStopped()) {
    if (timer.now() >= over) return ok(timer.now());
    const { isFresh, sink } = place;
    const current = isFresh || sink.refresh === undefined ? ok(sink) : await sink.refresh();
    if (current.isErr()) return err(current.error);
    // nothing goes to an endpoint that was disabled or deleted
    if (current.value === undefined) break;
    place.sink = current.value;
    place.isFresh = false;
    const turn = await takeTurn(relay, place);
    // the record of the consumer is read again: a write may have been made all the same
    if (turn.isErr()) place.owned = undefined;
    if (turn.isErr() || turn.value !== 'more') return turn as Result<Again, PortProblem>;
  }
  return ok(Number.POSITIVE_INFINITY);
}

type Turn = Result<Again | 'more', PortProblem>;

async function takeTurn(relay: RelayContext, place: Place): Promise<Turn> {
  const { context, lease } = relay;
  const { tenant, sink } = place;
  const time = context.ports.realTime();
  if (time.isErr()) return err(time.error);
  const now = time.value;
  if (place.owned !== undefined && place.owned.until < now + margin) place.owned = undefined;
  let standing = place.owned;
  let row: Stored<'consumer'> | undefined;
  if (standing === undefined) {
    const found = await context.ports.recordByKey(tenant, 'consumer', sink.consumer);
    if (found.isErr()) return err(found.error);
    row = found.value;
    const busy = busyUntil(row, lease);
    if (busy > now) return ok(busy);
    standing = standingOf(row, sink.begins);
  }
  if (place.isForced) standing.nextDue = 0;
  // before the read: what becomes due while it is under way is looked for by another one
  place.isForced = false;
  const work = await readWork(context, tenant, sink, standing, now);
  if (work.isErr()) return err(work.error);
  standing.nextDue = work.value.nextDue;
  if (work.value.isEmpty) return ok(standing.nextDue);
  if (place.owned === undefined) {
    const until = await claim(context, tenant, sink, lease, row, now);
    if (until.isErr()) return err(until.error);
    if (until.value === undefined) return ok(now + leaseTime);
    standing.until = until.value;
    place.owned = standing;
  }
  return deliver(relay, place, standing, work.value);
}

/** Delivers what there is, and writes what came of it. */
async function deliver(
  relay: RelayContext,
  place: Place,
  standing: Standing,
  work: Work,
): Promise<Turn> {
  const { context, timer, lease, slots } = relay;
  const { tenant, sink } = place;
  const now = () => timer.now();
  const lost = (): Turn => {
    place.owned = undefined;
    return ok(now() + leaseTime);
  };
  const jobs = await jobsOf(context, tenant, sink, standing, work);
  if (jobs.isErr()) return err(jobs.error);
  const { all, readAgain } = jobs.value;
  const renewal = renewRegularly(relay, tenant, sink, standing);
  const left = await runJobs(all, {
    tenant,
    sink,
    slots,
    atOnce: standing.failing_since === null ? atOnce : atOnceWhileFailing,
    now,
    isOver: () => relay.isStopped() || renewal.isLost() || now() >= standing.until,
  });
  await renewal.end();
  if (renewal.isLost()) return lost();
  const position = await positionAfter(context, tenant, sink, standing, work, left);
  if (position.isErr()) return err(position.error);
  const recorded = record(context, sink, standing, {
    events: work.events.slice(0, left),
    jobs: all,
    readAgain,
    position: position.value,
    now: now(),
  });
  if (recorded.isErr()) return err(recorded.error);
  const { write, disable, after } = recorded.value;
  const until = now() + leaseTime;
  if (disable !== undefined) {
    const disabled = await save(context, tenant, sink, lease, until, disable);
    if (disabled.isErr()) return err(disabled.error);
    // who enables it again changes its consumer, too
    place.owned = undefined;
    if (disabled.value) return ok(Number.POSITIVE_INFINITY);
    // somebody else has disabled or deleted it meanwhile, or has the lease
  }
  const saved = await save(context, tenant, sink, lease, until, write);
  if (saved.isErr()) return err(saved.error);
  if (!saved.value) return lost();
  place.owned = { ...after, until };
  return ok('more');
}
