import { err, ok, type Result } from 'neverthrow';
import type { Stored } from '../domain/records/records.js';
import { nameOf, type Tenant } from '../domain/values/tenant.js';
import type { PortProblem } from '../ports/answer.js';
import type { Timer } from '../ports/runtime.js';
import type { Context } from '../usecases/context.js';
import {
  type Assignment,
  busyUntil,
  claim,
  lasts,
  leaseTime,
  renewRegularly,
  type Standing,
  save,
  standingOf,
  type Watch,
} from './lease.js';
import { type Jobs, jobsOf, positionAfter, readWork, type Work } from './read-work.js';
import { record } from './record-batch.js';
import { runJobs } from './run-jobs.js';
import type { Sink } from './sink.js';
import type { Slots } from './tasks.js';

/** The context that all parts of a relay share. */
export interface RelayContext {
  readonly context: Context;
  readonly timer: Timer;
  /** A ULID: every lease of this relay has it. */
  readonly lease: string;
  /** Slots for calls of the store: tenants take turns. */
  readonly turns: Slots;
  /** Slots for deliveries to receivers. */
  readonly slots: Slots;
  isStopped(): boolean;
}

/** How many events go to one sink at once; fewer while none arrives. */
const [atOnce, atOnceWhileFailing] = [16, 2];

/** Milliseconds after which others have their turn, even if the store answers without a wait. */
const longestRun = 50;

/** A lease is taken for lost if fewer milliseconds than this are left of it. */
const margin = 1_000;

/** The state of a consumer between two turns. */
export interface Place extends Watch {
  readonly tenant: Tenant;
  sink: Sink;
  /** The consumer, while this relay has its lease. */
  owned?: Standing | undefined;
  /** Whether deliveries may be due that this relay does not know of. */
  isForced: boolean;
  /** The position up to which all work was done at the last read. */
  readTo?: string | null;
}

/** When there may be work again, in milliseconds; `Infinity` if only a new event makes some. */
type Again = number;

/** Works for a consumer until all is done, or for a while. */
export async function consume(
  relay: RelayContext,
  place: Place,
): Promise<Result<Again, PortProblem>> {
  const { timer, turns, isStopped } = relay;
  const over = timer.now() + longestRun;
  while (!isStopped()) {
    if (timer.now() >= over) return ok(timer.now());
    // receivers may take their time: a turn covers only the calls of the store
    const begun = await turns(nameOf(place.tenant), () => begin(relay, place));
    const turn =
      begun.isErr() || typeof begun.value === 'number'
        ? begun
        : await deliver(relay, place, begun.value);
    // read the record of the consumer again: the write may have been made in spite of the failure
    if (turn.isErr()) place.owned = undefined;
    if (turn.isErr() || turn.value !== 'more') return turn as Result<Again, PortProblem>;
  }
  return ok(Number.POSITIVE_INFINITY);
}

/** The deliveries to make, by a relay that has the lease. */
interface Begun {
  readonly standing: Standing;
  readonly work: Work;
  readonly jobs: Jobs;
}

/** Reads the work, and takes the lease for it. */
async function begin(
  relay: RelayContext,
  place: Place,
): Promise<Result<Again | Begun, PortProblem>> {
  const { context, lease, isStopped } = relay;
  if (isStopped()) return ok(Number.POSITIVE_INFINITY);
  const { tenant, sink } = place;
  const assignment = assignmentOf(relay, place);
  const time = context.ports.realTime();
  if (time.isErr()) return err(time.error);
  const now = time.value;
  if (place.owned !== undefined && !lasts(place.owned.until, now, margin)) place.owned = undefined;
  let standing = place.owned;
  let row: Stored<'consumer'> | undefined;
  if (standing === undefined) {
    const found = await context.ports.recordByKey(tenant, 'consumer', sink.consumer);
    if (found.isErr()) return err(found.error);
    row = found.value;
    const busy = busyUntil(row, lease, place, now);
    if (busy > now) return ok(busy);
    standing = standingOf(row, sink.begins);
  }
  if (place.isForced) standing.nextDue = 0;
  // before the read: another read finds the deliveries that become due during this one
  place.isForced = false;
  const work = await readWork(assignment, standing, now);
  if (work.isErr()) return err(work.error);
  standing.nextDue = work.value.nextDue;
  if (work.value.isEmpty) {
    place.readTo = work.value.position;
    return ok(standing.nextDue);
  }
  const current = await (sink.refresh?.() ?? ok(sink));
  if (current.isErr()) return err(current.error);
  // send no event to a webhook that was disabled or deleted
  if (current.value === undefined) return ok(Number.POSITIVE_INFINITY);
  place.sink = current.value;
  if (place.owned === undefined) {
    const until = await claim(assignment, row, now);
    if (until.isErr()) return err(until.error);
    if (until.value === undefined) return ok(now + leaseTime);
    standing.until = until.value;
    place.owned = standing;
  }
  const jobs = await jobsOf(assignmentOf(relay, place), standing, work.value);
  return jobs.map((all) => ({ standing, work: work.value, jobs: all }));
}

/** The assignment of this place; its sink may change later. */
const assignmentOf = (
  { context: { ports }, lease }: RelayContext,
  { tenant, sink }: Place,
): Assignment => ({ ports, tenant, sink, lease });

type Turn = Result<Again | 'more', PortProblem>;

/** Makes the deliveries, and writes their outcomes. */
async function deliver(
  relay: RelayContext,
  place: Place,
  { standing, work, jobs: { all, readAgain } }: Begun,
): Promise<Turn> {
  const { timer, slots } = relay;
  const { tenant, sink } = place;
  const assignment = assignmentOf(relay, place);
  const now = () => timer.now();
  const lost = (): Turn => {
    place.owned = undefined;
    return ok(now() + leaseTime);
  };
  const renewal = renewRegularly(assignment, timer, standing);
  const left = await runJobs(all, {
    tenant,
    sink,
    slots,
    atOnce: standing.failing_since === null ? atOnce : atOnceWhileFailing,
    now,
    isOver: () =>
      relay.isStopped() ||
      renewal.isLost() ||
      now() >= standing.until ||
      (sink.isOneByOne && all.some(({ attempted }) => attempted !== undefined)),
  });
  await renewal.end();
  if (renewal.isLost()) return lost();
  const position = await positionAfter(assignment, standing, work, left);
  if (position.isErr()) return err(position.error);
  const recorded = record(assignment, standing, {
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
    const disabled = await save(assignment, until, disable);
    if (disabled.isErr()) return err(disabled.error);
    // a later call that enables it again changes its consumer, too
    place.owned = undefined;
    if (disabled.value) return ok(Number.POSITIVE_INFINITY);
    // the webhook was disabled or deleted meanwhile, or another relay has the lease
  }
  const saved = await save(assignment, until, write);
  if (saved.isErr()) return err(saved.error);
  if (!saved.value) return lost();
  place.owned = { ...after, until };
  return ok('more');
}
