import { readEvent } from '../domain/events/events.js';
import type { Stored } from '../domain/records/records.js';
import { nameOf, type Tenant } from '../domain/values/tenant.js';
import type { Attempted } from '../usecases/post-event.js';
import type { Sink } from './sink.js';
import type { Slots } from './tasks.js';

/** An event that is to be delivered now. */
export interface Job {
  readonly event: Stored<'event'>;
  /** Where it was tried before. */
  readonly row?: Stored<'delivery'>;
  /** Its place in the page of the log that it comes from, if it does. */
  readonly at?: number;
  /** Whether the later events of its subject wait for it. */
  readonly leads: boolean;
  /** What came of it: nothing where it waits, or was left. */
  attempted?: Attempted;
}

/** How jobs are run. */
interface RunOptions {
  readonly tenant: Tenant;
  readonly sink: Sink;
  readonly slots: Slots;
  /** How many lanes run at once. */
  readonly atOnce: number;
  /** Real time in milliseconds. */
  now(): number;
  /** Whether no further job is to begin. */
  isOver(): boolean;
}

/**
 * Runs jobs: those of one subject in their order where the sink is ordered, and all of them where it
 * is serial. Where a job fails, the later ones of its subject are not begun. Once it is over, none
 * begins of an ordered sink, and of another one only those of the page of which a later one has begun
 * already, so that what was done of it is its beginning. The number is that of the first event of the page that was left, if any was.
 */
export async function runJobs(
  jobs: readonly Job[],
  { tenant, sink, slots, atOnce, now, isOver }: RunOptions,
): Promise<number | undefined> {
  const lanes = lanesOf(jobs, sink);
  const failed = new Set<string>();
  let furthest = -1;
  let left: number | undefined;
  let isEnded = false;
  const name = nameOf(tenant);
  const place = `${name}\0${sink.consumer}`;

  const begin = async (job: Job): Promise<void> => {
    const { event, at, leads } = job;
    // a lease that is renewed late begins nothing again
    isEnded ||= isOver();
    const isBeyond = at === undefined || at > furthest;
    if (isEnded && (isBeyond || sink.isOrdered)) {
      // an ordered sink notes what was left before the furthest: it waits
      if (isBeyond && at !== undefined) left = Math.min(left ?? at, at);
      return;
    }
    if (at !== undefined) furthest = Math.max(furthest, at);
    const attempted = await sink.deliver(readEvent(tenant, event), now());
    job.attempted = attempted;
    isEnded ||= attempted.isGone;
    if (leads && !attempted.isDelivered) failed.add(event.subject);
  };
  const run = async (job: Job): Promise<void> => {
    if (job.leads && sink.isOrdered && failed.has(job.event.subject)) return;
    // it may be over once it is the turn of a job that waited
    await slots(name, () => begin(job), place);
  };
  let next = 0;
  const worker = async () => {
    for (let lane = lanes[next++]; lane !== undefined; lane = lanes[next++]) {
      for (const job of lane) await run(job);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, lanes.length) }, worker));
  return left;
}

/** Jobs that go one after the other. */
function lanesOf(jobs: readonly Job[], { isSerial, isOrdered }: Sink): readonly (readonly Job[])[] {
  if (isSerial) return [jobs];
  if (!isOrdered) return jobs.map((job) => [job]);
  const lanes = new Map<string, Job[]>();
  for (const job of jobs) {
    const { subject } = job.event;
    const lane = lanes.get(subject);
    if (lane === undefined) lanes.set(subject, [job]);
    else lane.push(job);
  }
  return [...lanes.values()];
}
