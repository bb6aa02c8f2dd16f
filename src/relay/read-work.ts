import { err, ok, type Result } from 'neverthrow';
import type { Stored } from '../domain/records/records.js';
import { parseTimestamp } from '../domain/values/timestamp.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import type { Assignment, Standing } from './lease.js';
import { mostHeld } from './lease.js';
import type { Job } from './run-jobs.js';
import type { Sink } from './sink.js';

/** How many events, or deliveries, one batch has. */
const batchSize = 100;

/** How many events that failed or waited one turn goes back to. */
const mostAgain = ({ isOneByOne }: Sink): number => (isOneByOne ? 1 : batchSize);

/** Later than every due time. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** The work for a consumer: events of the log after its position, and due deliveries. */
export interface Work {
  readonly events: readonly Stored<'event'>[];
  /** The position after these events. */
  readonly position: string | null;
  readonly due: readonly Stored<'delivery'>[];
  /** When another delivery is due, in milliseconds; `Infinity` for none. */
  readonly nextDue: number;
  readonly isEmpty: boolean;
}

/** Reads the work for a consumer. */
export async function readWork(
  assignment: Assignment,
  { position, held, nextDue }: Standing,
  now: number,
): Promise<Result<Work, PortProblem>> {
  const { ports, tenant, sink } = assignment;
  const isDueRead = nextDue <= now;
  const most = mostAgain(sink);
  const [page, deliveries] = await Promise.all([
    // if too many subjects wait, the others wait too
    held.size < mostHeld
      ? readLog(assignment, position, batchSize)
      : ok({ events: [], cursor: position }),
    isDueRead ? ports.due(tenant, 'delivery', endOfTime, most, sink.consumer) : ok([]),
  ]);
  if (page.isErr()) return err(page.error);
  if (deliveries.isErr()) return err(deliveries.error);
  const { events, cursor } = page.value;
  const dueAt = ({ due_at }: Stored<'delivery'>) => parseTimestamp(due_at ?? '') ?? 0;
  const due = deliveries.value.filter((each) => dueAt(each) <= now);
  const later = deliveries.value[due.length];
  // if as many are due as were asked for, there may be more
  const next = due.length === most ? now : later ? dueAt(later) : Number.POSITIVE_INFINITY;
  const canReadHeld = [...held.values()].some(({ isPending }) => !isPending);
  return ok({
    events,
    position: cursor,
    due,
    nextDue: isDueRead ? next : nextDue,
    isEmpty: events.length === 0 && due.length === 0 && !canReadHeld,
  });
}

/** The position after the events that were done: all of them, or those before the index `left`. */
export async function positionAfter(
  assignment: Assignment,
  { position }: Standing,
  work: Work,
  left: number | undefined,
): Promise<Result<string | null, PortProblem>> {
  if (left === undefined) return ok(work.position);
  if (left === 0) return ok(position);
  return (await readLog(assignment, position, left)).map(({ cursor }) => cursor);
}

async function readLog(
  { ports, tenant, sink: { consumer } }: Assignment,
  position: string | null,
  limit: number,
) {
  const page = await ports.eventsAfter(tenant, position ?? undefined, limit);
  return page.andThen((found) =>
    // the log is that of another store, or an older copy
    found === 'invalid_cursor' ? err(unknownTo('after', `the position of ${consumer}`)) : ok(found),
  );
}

/** The failure of a log that has lost an event or a position: no retry helps. */
function unknownTo(read: 'after' | 'of', what: string): PortProblem {
  const cause = new Error(`the log does not have ${what}`);
  return portProblem(`store.events.${read}`, { retryable: false, cause });
}

/** The deliveries to make. */
export interface Jobs {
  readonly all: readonly Job[];
  /** Of each subject whose events waited, the last sequence that was read again. */
  readonly readAgain: ReadonlyMap<string, number>;
}

/** The events to deliver now: those that waited, those to try again, and new ones. */
export async function jobsOf(
  { ports, tenant, sink }: Assignment,
  { held, isLogFirst }: Standing,
  { events, due }: Work,
): Promise<Result<Jobs, PortProblem>> {
  const again: Job[] = [];
  const readAgain = new Map<string, number>();
  const most = mostAgain(sink);
  for (const [subject, { after, upTo, isPending }] of held) {
    if (again.length >= most) break;
    if (isPending) continue;
    const limit = Math.min(batchSize, upTo - after);
    const waiting = await ports.eventsOf(tenant, subject, after, limit);
    if (waiting.isErr()) return err(waiting.error);
    readAgain.set(subject, waiting.value.at(-1)?.sequence ?? upTo);
    const wanted = waiting.value.filter((event) => sink.wants(event));
    again.push(...wanted.map((event) => ({ event, leads: true })));
  }
  for (const row of due) {
    const { subject, sequence } = row;
    const found = await ports.eventsOf(tenant, subject, sequence - 1, 1);
    if (found.isErr()) return err(found.error);
    const [event] = found.value;
    if (event === undefined) return err(unknownTo('of', `the event of delivery ${row.id}`));
    const head = held.get(subject);
    const leads = head?.isPending === true && head.after === sequence;
    again.push({ event, row, leads });
  }
  const fresh = events.flatMap((event, at): readonly Job[] =>
    held.has(event.subject) || !sink.wants(event) ? [] : [{ event, at, leads: true }],
  );
  return ok({ all: isLogFirst ? [...fresh, ...again] : [...again, ...fresh], readAgain });
}
