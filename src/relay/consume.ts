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
  leaseTime,
  renewRegularly,
  type Standing,
  save,
  standingOf,
} from './lease.js';
import { type Jobs, jobsOf, positionAfter, readWork, type Work } from './read-work.js';
import { record } from './record-batch.js';
import { runJobs } from './run-jobs.js';
import type { Sink } from './sink.js';
import type { Slots } from './tasks.js';

/** What a relay works with. */
export interface RelayContext {
  readonly context: Context;
  readonly timer: Timer;
  /** A ULID: what this relay leases carries it. */
  readonly lease: string;
  /** What the store is asked, tenant by tenant in turns. */
  readonly turns: Slots;
  /** What is under way to receivers. */
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
  /** The consumer, while this relay has its lease. */
  owned?: Standing | undefined;
  /** Whether something may be due that this relay does not know of. */
  isForced: boolean;
  /** The position up to which nothing was left to do, when it was read last. */
  readTo?: string | null;
}

/** When there may be work again, in milliseconds; `Infinity` where only a new event makes some. */
type Again = number;

/** Works for a consumer until there is nothing to do, or for a while. */
export async function consume(
  relay: RelayContext,
  place: Place,
): Promise<Result<Again, PortProblem>> {
  const { timer, turns, isStopped } = relay;
  const over = timer.now() + longestRun;
  while (!isStopped()) {
    if (timer.now() >= over) return ok(timer.now());
    // receivers may take their time: a turn is for what the store is asked
    const begun = await turns(nameOf(place.tenant), () => begin(relay, place));
    const turn =
      begun.isErr() || typeof begun.value === 'number'
        ? begun
        : await deliver(relay, place, begun.value);
    // the record of the consumer is read again: a write may have been made all the same
    if (turn.isErr()) place.owned = undefined;
    if (turn.isErr() || turn.value !== 'more') return turn as Result<Again, PortProblem>;
  }
  return ok(Number.POSITIVE_INFINITY);
}

/** What is to be delivered, by a relay that has the lease. */
interface Begun {
  readonly standing: Standing;
  readonly work: Work;
  readonly jobs: Jobs;
}

/** Reads what there is to do, and takes the lease for it. */
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
  const work = await readWork(assignment, standing, now);
  if (work.isErr()) return err(work.error);
  standing.nextDue = work.value.nextDue;
  if (work.value.isEmpty) {
    place.readTo = work.value.position;
    return ok(standing.nextDue);
  }
  const current = await (sink.refresh?.() ?? ok(sink));
  if (current.isErr()) return err(current.error);
  // nothing goes to a webhook that was disabled or deleted
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

/** What the relay works for at this place; its sink may be another one later. */
const assignmentOf = (
  { context: { ports }, lease }: RelayContext,
  { tenant, sink }: Place,
): Assignment => ({ ports, tenant, sink, lease });

type Turn = Result<Again | 'more', PortProblem>;

/** Delivers what there is, and writes what came of it. */
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
    isOver: () => relay.isStopped() || renewal.isLost() || now() >= standing.until,
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
    // who enables it again changes its consumer, too
    place.owned = undefined;
    if (disabled.value) return ok(Number.POSITIVE_INFINITY);
    // somebody else has disabled or deleted it meanwhile, or has the lease
  }
  const saved = await save(assignment, until, write);
  if (saved.isErr()) return err(saved.error);
  if (!saved.value) return lost();
  place.owned = { ...after, until };
  return ok('more');
}
