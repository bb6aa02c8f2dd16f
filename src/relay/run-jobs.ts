import { readEvent } from '../domain/events/events.js';
import type { Stored } from '../domain/records/records.js';
import { nameOf, type Tenant } from '../domain/values/tenant.js';
import type { Attempted } from '../usecases/post-event.js';
import type { Sink } from './sink.js';
import type { Slots } from './tasks.js';

/** An event to deliver now. */
export interface Job {
  readonly event: Stored<'event'>;
  /** The record of earlier attempts, if there were any. */
  readonly row?: Stored<'delivery'>;
  /** Its index in the page of the log, if it comes from the log. */
  readonly at?: number;
  /** Whether the later events of its subject wait for it. */
  readonly leads: boolean;
  /** The outcome; `undefined` if it waits or was left. */
  attempted?: Attempted;
}

/** How jobs are run. */
interface RunOptions {
  readonly tenant: Tenant;
  readonly sink: Sink;
  readonly slots: Slots;
  /** How many lanes of jobs run at once. */
  readonly atOnce: number;
  /** Real time in milliseconds. */
  now(): number;
  /** Whether no further job may begin. */
  isOver(): boolean;
}

/**
 * Runs jobs: those of one subject in order if the sink is ordered, all of them in order if it is
 * serial. If a job fails, the later jobs of its subject do not begin. Once the run is over, no job
 * of an ordered sink begins; of another sink, only one before an event of its page that has begun:
 * so the events that were done come first. Returns the index of the first event that was left.
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
    const { event, row, at, leads } = job;
    // once it was over, it stays over: a late renewal of the lease changes nothing
    isEnded ||= isOver();
    const isBeyond = at === undefined || at > furthest;
    if (isEnded && (isBeyond || sink.isOrdered)) {
      // an ordered sink notes the events that were left before the furthest: they wait
      if (isBeyond && at !== undefined) left = Math.min(left ?? at, at);
      return;
    }
    if (at !== undefined) furthest = Math.max(furthest, at);
    const attempted = await sink.deliver(readEvent(tenant, event), now(), (row?.tries ?? 0) + 1);
    job.attempted = attempted;
    isEnded ||= attempted.isGone;
    if (leads && !attempted.isDelivered) failed.add(event.subject);
  };
  const run = async (job: Job): Promise<void> => {
    if (job.leads && sink.isOrdered && failed.has(job.event.subject)) return;
    // the run may be over before a job gets its slot
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

/** Lanes of jobs: the jobs of one lane run one after the other. */
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
