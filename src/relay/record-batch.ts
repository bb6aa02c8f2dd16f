import { err, ok, type Result } from 'neverthrow';
import { webhookChanged } from '../domain/events/events.js';
import { hasFailedTooLong, withAttempt } from '../domain/events/webhook.js';
import type { Row, Stored } from '../domain/records/records.js';
import type { DisabledReason } from '../domain/values/status.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Change, Insert } from '../ports/write-set.js';
import type { Assignment, ConsumerWrite, Standing } from './lease.js';
import { holdAfter, type Passed, type Tried, writeHeld } from './lease.js';
import type { Job } from './run-jobs.js';
import type { Sink } from './sink.js';

/** The work that was done for a consumer, before it is written. */
export interface Batch {
  /** The events of the log that were passed. */
  readonly events: readonly Stored<'event'>[];
  readonly jobs: readonly Job[];
  readonly readAgain: Passed['readAgain'];
  /** The position after them. */
  readonly position: string | null;
  /** Real time in milliseconds. */
  readonly now: number;
}

/** The write of a batch. */
export interface Recorded {
  readonly write: ConsumerWrite;
  /** The same write, if it also disables the webhook. */
  readonly disable: ConsumerWrite | undefined;
  /** The consumer after the write. */
  readonly after: Omit<Standing, 'until'>;
}

/** Makes the write of a batch: deliveries, the events that wait, and the position. */
export function record(
  assignment: Assignment,
  standing: Standing,
  { events, jobs, readAgain, position, now }: Batch,
): Result<Recorded, PortProblem> {
  const { ports, sink } = assignment;
  const insert: Insert[] = [];
  const change: Change<'delivery'>[] = [];
  const tried: Tried[] = [];
  let { nextDue } = standing;
  for (const job of jobs) {
    const { attempted, row, event } = job;
    const { subject, sequence } = event;
    const isRetry = row !== undefined;
    if (attempted === undefined) {
      // a due delivery that was not begun is read again
      if (isRetry) nextDue = 0;
      tried.push({ subject, sequence, isRetry, outcome: undefined });
      continue;
    }
    const { isDelivered, isGone, isFinal = isGone, attempt } = attempted;
    const id = row === undefined ? ports.nextId() : ok(row.id);
    if (id.isErr()) return err(id.error);
    const tries = (row?.tries ?? 0) + 1;
    const pause = isDelivered || isFinal ? undefined : sink.pauseAfter(tries, id.value);
    const dueAt = pause === undefined ? undefined : now + pause;
    const status = isDelivered ? 'delivered' : dueAt === undefined ? 'failed' : 'pending';
    const made = {
      status,
      attempts: withAttempt(row, attempt),
      tries,
      due_at: dueAt === undefined ? null : formatTimestamp(dueAt),
      failed_at: status === 'failed' ? formatTimestamp(now) : null,
    } as const;
    tried.push({ subject, sequence, isRetry, outcome: status });
    if (dueAt !== undefined) nextDue = Math.min(nextDue, dueAt);
    if (row !== undefined) change.push({ kind: 'delivery', key: row.id, set: made });
    else if (sink.isRecorded || !isDelivered) {
      insert.push({ kind: 'delivery', row: deliveryRow(sink, event, id.value, made, now) });
    }
  }
  const passed = new Map(events.map(({ subject, sequence }) => [subject, sequence]));
  const held = sink.isOrdered
    ? holdAfter(standing.held, { passed, readAgain, tried })
    : standing.held;
  const failing_since = failingSince(standing, jobs, now);
  const set = { position, held: writeHeld(held), failing_since };
  const expect = change.map(({ key }) => ({ present: 'delivery', key }) as const);
  const write = { set, insert, change, expect };
  const disable = disabling(assignment, jobs, failing_since, now, write);
  const isLogFirst = jobs.some(({ attempted, at }) => attempted !== undefined && at === undefined);
  return disable.map((ended) => ({
    write,
    disable: ended,
    after: { position, held, failing_since, nextDue, isLogFirst },
  }));
}

function deliveryRow(
  { consumer }: Sink,
  { id: event_id, type, subject, sequence }: Stored<'event'>,
  id: string,
  made: Pick<Row<'delivery'>, 'status' | 'attempts' | 'tries' | 'due_at' | 'failed_at'>,
  now: number,
): Row<'delivery'> {
  const created_at = formatTimestamp(now);
  return { id, consumer, event_id, type, subject, sequence, ...made, created_at };
}

/** Since when no event was delivered; `null` if one was. */
function failingSince(
  { failing_since }: Standing,
  jobs: readonly Job[],
  now: number,
): string | null {
  const tried = jobs.flatMap(({ attempted }) => attempted ?? []);
  if (tried.some(({ isDelivered }) => isDelivered)) return null;
  return tried.length === 0 ? failing_since : (failing_since ?? formatTimestamp(now));
}

/** The write that also disables a webhook that is gone, or has failed for too long. */
function disabling(
  { ports, sink: { webhook } }: Assignment,
  jobs: readonly Job[],
  failing_since: string | null,
  now: number,
  write: Required<Pick<ConsumerWrite, 'set' | 'insert' | 'change' | 'expect'>>,
): Result<Recorded['disable'], PortProblem> {
  const isGone = jobs.some(({ attempted }) => attempted?.isGone === true);
  const reason: DisabledReason = isGone ? 'gone' : 'failing';
  if (webhook === undefined || !(isGone || hasFailedTooLong(failing_since, now)))
    return ok(undefined);
  const { id: key } = webhook;
  return ports.nextId().map((id) => {
    const origin = { id, at: formatTimestamp(now), actor: 'clock', cause: null } as const;
    return {
      ...write,
      expect: [
        ...write.expect,
        { present: 'webhook', key, where: { status: ['enabled'] } } as const,
      ],
      change: [
        ...write.change,
        { kind: 'webhook', key, set: { status: 'disabled', disabled_reason: reason } } as const,
      ],
      subject: { kind: 'webhook', key } as const,
      events: [webhookChanged(origin, 'webhook.disabled', key, 'disabled', reason)],
    };
  });
}
