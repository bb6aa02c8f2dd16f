import { err, ok, type Result } from 'neverthrow';
import type { Stored } from '../domain/records.js';
import type { Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Timer } from '../ports/timer.js';
import type { Context } from '../usecases/context.js';
import { claim, leaseTime, type Owned, readStanding, renewalTime, save } from './lease.js';
import { jobsOf, readWork, type Work } from './read-work.js';
import { type Batch, record } from './record-batch.js';
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

/** A lease with less than this left is not relied on. */
const margin = 1_000;

/** What is known of a consumer between two turns. */
export interface Place {
  readonly tenant: Tenant;
  sink: Sink;
  /** Whether the sink was read just now. */
  isFresh: boolean;
  owned: Owned | undefined;
  /** Whether what is due is to be looked for, whatever is known of it. */
  isForced: boolean;
}

/**
 * Works for a consumer until there is nothing to do, and says when there may be again: a moment in
 * milliseconds, or nothing where only a new event makes work.
 */
export async function consume(
  relay: RelayContext,
  place: Place,
): Promise<Result<number | undefined, PortProblem>> {
  while (!relay.isStopped()) {
    const { isFresh, sink } = place;
    const current = isFresh || sink.refresh === undefined ? ok(sink) : await sink.refresh();
    if (current.isErr()) return err(current.error);
    // nothing goes to an endpoint that was disabled or deleted
    if (current.value === undefined) return ok(undefined);
    place.sink = current.value;
    place.isFresh = false;
    const turn = await takeTurn(relay, place.tenant, place.sink, place);
    if (turn.isErr()) {
      // the record of the consumer is read again: a write may have been made all the same
      place.owned = undefined;
      return err(turn.error);
    }
    if (turn.value !== 'more') return ok(turn.value.again);
  }
  return ok(undefined);
}

type Turn = 'more' | { readonly again: number | undefined };

async function takeTurn(
  relay: RelayContext,
  tenant: Tenant,
  sink: Sink,
  place: Place,
): Promise<Result<Turn, PortProblem>> {
  const { context, lease } = relay;
  const { ports } = context;
  const time = ports.realTime();
  if (time.isErr()) return err(time.error);
  const now = time.value;
  if (place.owned !== undefined && place.owned.until < now + margin) place.owned = undefined;
  let row: Stored<'consumer'> | undefined;
  if (place.owned === undefined) {
    const standing = await readStanding(context, tenant, sink, lease, now);
    if (standing.isErr()) return err(standing.error);
    if ('busyUntil' in standing.value) return ok({ again: standing.value.busyUntil });
    row = standing.value.row;
  }
  const found = await readWork(context, tenant, sink, place, row, now);
  if (found.isErr()) return err(found.error);
  const { events, nextDue } = found.value;
  place.isForced = false;
  const hasHeld = [...found.value.held.values()].some(({ isPending }) => !isPending);
  if (events.length === 0 && found.value.due.length === 0 && !hasHeld) {
    if (place.owned !== undefined) place.owned.nextDue = nextDue;
    return ok({ again: nextDue });
  }
  if (place.owned === undefined) {
    const claimed = await claim(context, tenant, sink, lease, row, now);
    if (claimed.isErr()) return err(claimed.error);
    if (claimed.value === undefined) return ok({ again: now + leaseTime });
    place.owned = claimed.value;
  }
  place.owned.nextDue = nextDue;
  return deliver(relay, tenant, sink, place, place.owned, found.value);
}

/** Delivers what there is, and writes what came of it. */
async function deliver(
  relay: RelayContext,
  tenant: Tenant,
  sink: Sink,
  place: Place,
  owned: Owned,
  work: Work,
): Promise<Result<Turn, PortProblem>> {
  const { context, timer, lease, slots } = relay;
  const jobs = await jobsOf(context, tenant, sink, owned, work);
  if (jobs.isErr()) return err(jobs.error);
  const renewal = renewRegularly(relay, tenant, sink, owned);
  const now = () => timer.now();
  const { all, readAgain } = jobs.value;
  const left = await runJobs(all, {
    tenant,
    sink,
    slots,
    atOnce: owned.failing_since === null ? atOnce : atOnceWhileFailing,
    now,
    isOver: () => relay.isStopped() || renewal.isLost() || now() >= owned.until,
  });
  await renewal.end();
  if (renewal.isLost()) {
    place.owned = undefined;
    return ok({ again: now() + leaseTime });
  }
  let { cursor } = work;
  if (left !== undefined && left > 0) {
    // of a page that was not done to its end, the position after what was done
    const again = await context.ports.eventsAfter(tenant, owned.position ?? undefined, left);
    if (again.isErr()) return err(again.error);
    if (again.value !== 'invalid_cursor') cursor = again.value.cursor;
  } else if (left === 0) cursor = owned.position ?? '';
  const batch: Batch = {
    events: left === undefined ? work.events : work.events.slice(0, left),
    jobs: all,
    readAgain,
    position: cursor === '' ? owned.position : cursor,
    now: now(),
  };
  const recorded = record(context, sink, owned, batch);
  if (recorded.isErr()) return err(recorded.error);
  const { write, disable, after } = recorded.value;
  const until = now() + leaseTime;
  let saved = await save(context, tenant, sink.consumer, lease, { ...write, ...disable, until });
  if (disable !== undefined && saved.isOk() && !saved.value) {
    // somebody else has disabled or deleted the endpoint meanwhile
    saved = await save(context, tenant, sink.consumer, lease, { ...write, until });
  }
  if (saved.isErr()) return err(saved.error);
  if (!saved.value) {
    place.owned = undefined;
    return ok({ again: now() + leaseTime });
  }
  place.owned = { ...after, until };
  return ok(disable === undefined ? 'more' : { again: undefined });
}

/** Renews a lease for as long as events are under way. */
function renewRegularly(
  { context, timer, lease }: RelayContext,
  tenant: Tenant,
  { consumer }: Sink,
  owned: Owned,
) {
  let isLost = false;
  let isEnded = false;
  let running = Promise.resolve();
  let cancel = () => {};
  const renew = async () => {
    const until = timer.now() + leaseTime;
    const renewed = await save(context, tenant, consumer, lease, { set: {}, until });
    // what fails is tried again, while the lease lasts
    if (renewed.isOk() && renewed.value) owned.until = until;
    if (renewed.isOk() && !renewed.value) isLost = true;
    schedule();
  };
  const schedule = () => {
    if (isEnded || isLost) return;
    cancel = timer.sleep(renewalTime, () => {
      running = renew();
    });
  };
  schedule();
  return {
    isLost: () => isLost,
    async end() {
      isEnded = true;
      cancel();
      await running;
    },
  };
}
